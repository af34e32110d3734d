// mubody watch: a page on this computer alone that follows what is saved.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "tests/cli/program.h"

namespace mubody::testing {
namespace {
using Clock = std::chrono::steady_clock;

/// A connection to a port of 127.0.0.1.
class Caller {
 public:
  explicit Caller(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in there{};
    there.sin_family = AF_INET;
    there.sin_port = htons(std::uint16_t(port));
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{10, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    EXPECT_EQ(connect(socket_, reinterpret_cast<const sockaddr*>(&there), sizeof there), 0);
  }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;
  ~Caller() { close(socket_); }

  void say(const std::string& text) const {
    EXPECT_EQ(send(socket_, text.data(), text.size(), MSG_NOSIGNAL), ssize_t(text.size()));
  }
  /// All up to this part, or up to the end.
  std::string hear(const std::string& part = "") {
    while (part.empty() || heard_.find(part) == std::string::npos) {
      char bytes[4096];
      const ssize_t got = recv(socket_, bytes, sizeof bytes, 0);
      if (got <= 0) break;
      heard_.append(bytes, std::size_t(got));
    }
    const std::size_t at = part.empty() ? heard_.size() : heard_.find(part);
    const std::size_t end = at == std::string::npos ? heard_.size() : at + part.size();
    std::string text = heard_.substr(0, end);
    heard_.erase(0, end);
    return text;
  }

 private:
  int socket_;
  std::string heard_;
};

class Watch : public Program {
 protected:
  ~Watch() override {
    if (child_ > 0) end(SIGKILL);
  }
  void start(std::vector<std::string> words) {
    words.insert(words.begin(), {"mubody", "watch"});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const std::string out = (folder / ".stdout").string(), err = (folder / ".stderr").string();
    child_ = fork();
    if (child_ == 0) {
      std::signal(SIGINT, SIG_DFL);
      const int to_out = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      const int to_err = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      if (chdir(folder.c_str()) != 0 || dup2(to_out, STDOUT_FILENO) < 0 || dup2(to_err, STDERR_FILENO) < 0)
        _exit(126);
      execv(MUBODY_PROGRAM, arguments.data());
      _exit(127);
    }
    const auto until = Clock::now() + std::chrono::seconds(is_sanitized ? 100 : 10);
    const std::string before = "http://127.0.0.1:";
    for (std::string said; Clock::now() < until; std::this_thread::sleep_for(std::chrono::milliseconds(5))) {
      said = contents(out);
      const std::size_t at = said.find(before);
      if (at == std::string::npos || said.find("Ctrl-C") == std::string::npos) continue;
      const std::size_t slash = said.find('/', at + before.size());
      port = std::stoi(said.substr(at + before.size(), slash - at - before.size()));
      path = said.substr(slash, said.find('\n', slash) - slash);
      return;
    }
    FAIL() << contents(err);
  }
  int end(int signal = SIGINT) {
    kill(child_, signal);
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  std::string request(const std::string& target, const std::string& more = "") const {
    return "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n" + more + "\r\n";
  }
  std::string get(const std::string& target, const std::string& more = "") const {
    Caller caller(port);
    caller.say(request(target, more));
    return caller.hear();
  }

  pid_t child_ = 0;
  int port = 0;
  std::string path;
};

std::string with_mass(const std::string& mass) {
  std::string text = pendulum;
  return text.replace(text.find("mass = 2"), 8, "mass = " + mass);
}

TEST_F(Watch, runs_again_at_each_save) {
  write("m.toml", pendulum);
  start({"m.toml", "--no-estimate"});
  Caller events(port);
  events.say(request(path + "events"));
  EXPECT_TRUE(has(events.hear("\r\n\r\n"), "text/event-stream"));
  events.hear("\"state\":\"ready\"");
  EXPECT_TRUE(has(get(path), "id=\"watched\">{\"version\":1}"));

  write("m.toml", with_mass("3"));
  EXPECT_TRUE(has(events.hear("\"state\":\"ready\""), "\"version\":2"));
  EXPECT_TRUE(has(get(path), "id=\"watched\">{\"version\":2}"));

  write("m.toml", with_mass("heavy"));
  events.hear("\"state\":\"failed\"");
  EXPECT_TRUE(has(events.hear("\n"), "m.toml:5:")) << "where it is wrong";
  EXPECT_TRUE(has(get(path), "id=\"watched\">{\"version\":2}")) << "the last good one stays";
  EXPECT_TRUE(has(contents(folder / ".stderr"), "m.toml:5:"));

  // Many editors write another file and rename it.
  write("m.toml.new", with_mass("4"));
  fs::rename(folder / "m.toml.new", folder / "m.toml");
  EXPECT_TRUE(has(events.hear("\"state\":\"ready\""), "\"version\":3"));
  EXPECT_EQ(names_in(folder), (std::set<std::string>{".stdout", ".stderr", "m.toml"})) << "nothing is written";

  const auto begin = Clock::now();
  EXPECT_EQ(end(), 0);
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(is_sanitized ? 20 : 2)) << "although somebody looks";
}

TEST_F(Watch, begins_with_a_model_that_is_wrong) {
  write("m.toml", with_mass("-"));
  start({"m.toml", "--no-estimate"});
  EXPECT_TRUE(has(get(path), "EventSource"));
  Caller events(port);
  events.say(request(path + "events"));
  events.hear("\"state\":\"failed\"");
  write("m.toml", with_mass("1, inertia = \"one\"}\narm = {mass = \"heavy\""));
  events.hear("\"state\":\"failed\"");
  const std::string told = contents(folder / ".stderr");
  EXPECT_TRUE(has(told, "\nmubody: m.toml:6:")) << told;
  EXPECT_FALSE(has(told, "\\n")) << "each mistake has a line of its own: " << told;
  write("m.toml", pendulum);
  EXPECT_TRUE(has(events.hear("\"state\":\"ready\""), "\"version\":1"));
}

TEST_F(Watch, follows_files_that_the_model_reads) {
  write("base.toml", pendulum);
  write("m.toml", "include = \"base.toml\"\n");
  start({"m.toml", "--no-estimate"});
  Caller events(port);
  events.say(request(path + "events"));
  events.hear("\"state\":\"ready\"");
  write("base.toml", with_mass("5"));
  EXPECT_TRUE(has(events.hear("\"state\":\"ready\""), "\"version\":2"));
}

TEST_F(Watch, stops_a_run_that_a_save_has_made_useless) {
  std::string slow = pendulum;
  slow.replace(slow.find("end = 0.5"), 9, "end = 1e6\nmax_steps = 2000000000");
  slow.replace(slow.find("step = 0.05"), 11, "step = 1e4");
  write("m.toml", slow);
  start({"m.toml", "--no-estimate"});
  Caller events(port);
  events.say(request(path + "events"));
  events.hear("\"state\":\"running\"");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const auto begin = Clock::now();
  write("m.toml", pendulum);
  events.hear("\"state\":\"ready\"");
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(is_sanitized ? 50 : 5));
  EXPECT_EQ(end(), 0);
}

TEST_F(Watch, answers_nobody_else) {
  write("m.toml", pendulum);
  start({"m.toml", "--no-estimate"});
  EXPECT_TRUE(has(get("/"), "403 Forbidden"));
  EXPECT_TRUE(has(get("/events"), "403 Forbidden"));
  std::string other = path;
  other[1] = other[1] == '0' ? '1' : '0';
  EXPECT_TRUE(has(get(other), "403 Forbidden"));
  EXPECT_TRUE(has(get(path, "Origin: http://evil.example\r\n"), "403 Forbidden"));
  EXPECT_TRUE(has(get(path + "events", "Origin: http://evil.example\r\n"), "403 Forbidden"));
  Caller foreign(port);
  foreign.say("GET " + path + " HTTP/1.1\r\nHost: evil.example\r\n\r\n");
  EXPECT_TRUE(has(foreign.hear(), "403 Forbidden"));
  Caller writer(port);
  writer.say("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n\r\n");
  EXPECT_TRUE(has(writer.hear(), "405 Method"));
  Caller nonsense(port);
  nonsense.say(std::string(40000, 'x'));
  EXPECT_TRUE(has(nonsense.hear(), "400 Bad") || true) << "or the connection is closed";
  EXPECT_TRUE(has(get(path), "200 OK")) << "and the user still is";
}

// Local addresses of the sockets that a process listens at, from a table of the system.
std::vector<std::string> listening(pid_t process, const std::string& table) {
  std::set<std::string> own;
  for (const auto& entry : fs::directory_iterator("/proc/" + std::to_string(process) + "/fd")) {
    std::error_code gone;
    own.insert(fs::read_symlink(entry.path(), gone).string());
  }
  std::ifstream in("/proc/" + std::to_string(process) + "/net/" + table);
  std::vector<std::string> found;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string number, local, remote, state, skipped, inode;
    words >> number >> local >> remote >> state;
    for (int k = 0; k < 5; ++k) words >> skipped;
    words >> inode;
    if ((state == "0A" || table.starts_with("udp")) && own.contains("socket:[" + inode + "]"))
      found.push_back(local);
  }
  return found;
}

TEST_F(Watch, listens_at_one_address_of_this_computer_alone) {
  write("m.toml", pendulum);
  start({"m.toml", "--no-estimate"});
  char here[32];
  std::snprintf(here, sizeof here, "%08X:%04X", unsigned(htonl(INADDR_LOOPBACK)), unsigned(port));
  EXPECT_EQ(listening(child_, "tcp"), std::vector<std::string>{here});
  for (const char* table : {"tcp6", "udp", "udp6"}) EXPECT_TRUE(listening(child_, table).empty()) << table;
}

TEST_F(Watch, says_that_a_port_is_taken) {
  write("m.toml", pendulum);
  start({"m.toml", "--no-estimate"});
  const Answer second = mubody({"watch", "m.toml", "--port", std::to_string(port)});
  EXPECT_EQ(second.code, 1);
  EXPECT_TRUE(has(second.err, "choose another with --port")) << second.err;
  EXPECT_EQ(mubody({"watch", "m.toml", "--port", "70000"}).code, 2);
  EXPECT_EQ(mubody({"watch", "nothing.toml"}).code, 2);
}

TEST_F(Watch, survives_those_who_connect_and_do_nothing) {
  write("m.toml", pendulum);
  start({"m.toml", "--no-estimate"});
  Caller events(port);
  events.say(request(path + "events"));
  events.hear("\"state\":\"ready\"");
  std::vector<std::unique_ptr<Caller>> idle;
  for (int k = 0; k < 20; ++k) idle.push_back(std::make_unique<Caller>(port));
  EXPECT_TRUE(has(get(path), "200 OK"));
  for (int k = 0; k < 50; ++k) {
    Caller gone(port);
    gone.say(request(path));
  }
  EXPECT_TRUE(has(get(path), "200 OK"));
  EXPECT_EQ(end(), 0);
}
}  // namespace
}  // namespace mubody::testing
