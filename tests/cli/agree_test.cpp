// mubody agree: two results, channel by channel.
#include <cmath>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace mubody::testing {
namespace {
using Json = nlohmann::json;

class AgreeVerb : public Program {
 protected:
  Json json(std::vector<std::string> words) const {
    words.insert(words.begin(), "agree");
    words.insert(words.end(), {"--format", "json"});
    const Answer a = mubody(words);
    EXPECT_EQ(a.code, 0) << a.err;
    return Json::parse(a.out);
  }
  void expect_error(const std::vector<std::string>& words, const std::string& message) const {
    const Answer a = mubody(words);
    EXPECT_EQ(a.code, 2) << message;
    EXPECT_EQ(a.out, "");
    EXPECT_EQ(a.err, "mubody: " + message + "\n");
  }
};

// The numbers of the second example in tests/results/agreement_test.cpp.
const char* const first = "time[s],P.x[m],P.y[m],mine\n0,1,5,0\n1,2,5,0\n2,3,5,0\n3,4,5,0\n";
const char* const second = "time[s],P.y[m],P.x[m],yours\n0,5,2,0\n1,5,2,0\n2,5,4,0\n3,5,4,0\n";

TEST_F(AgreeVerb, prints_a_table) {
  write("A.csv", first);
  write("B.csv", second);
  const Answer a = mubody({"agree", "A.csv", "B.csv"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(
      a.out,
      "A = A.csv, B = B.csv: 2 channels from 0 to 3 s\n\n"
      "channel  unit  max |A-B|  at [s]     RMS  bias A-B  lower limit  upper limit  ICC cons.  ICC abs.\n"
      "P.x      m             1       0  0.7071      -0.5       -1.632       0.6316   0.888889  0.842105\n"
      "P.y      m             0       0       0         0            0            0          -         -\n"
      "\nonly in A: mine\n"
      "\nonly in B: yours\n");
}

// What the plots of Bland and Altman show, a row for each channel and time.
TEST_F(AgreeVerb, writes_differences_and_plots) {
  write("A.csv", first);
  write("B.csv", second);
  const Answer a =
      mubody({"agree", "A.csv", "B.csv", "--channels", "P.x", "--differences", "d.csv", "--report", "p.html"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(contents(folder / "d.csv"),
            "table,channel,unit,time[s],a,b,mean,difference\n"
            "A,P.x,m,0,1,2,1.5,-1\nA,P.x,m,1,2,2,2,0\nA,P.x,m,2,3,4,3.5,-1\nA,P.x,m,3,4,4,4,0\n");
  const std::string page = contents(folder / "p.html");
  EXPECT_NE(page.find("\"kind\":\"agree\""), std::string::npos);
  EXPECT_NE(page.find("\"bias\":-0.5"), std::string::npos);
  // Its own files are replaced, others are not, and inputs never.
  EXPECT_EQ(mubody({"agree", "A.csv", "B.csv", "--differences", "d.csv"}).code, 0);
  write("notes.csv", "mine\n");
  EXPECT_NE(mubody({"agree", "A.csv", "B.csv", "--differences", "notes.csv"}).code, 0);
  EXPECT_EQ(contents(folder / "notes.csv"), "mine\n");
  EXPECT_NE(mubody({"agree", "A.csv", "B.csv", "--differences", "A.csv", "--force"}).code, 0);
  EXPECT_EQ(contents(folder / "A.csv"), first);
}

TEST_F(AgreeVerb, gives_all_digits_to_programs) {
  write("A.csv", first);
  write("B.csv", second);
  const Json all = json({"A.csv", "B.csv"});
  ASSERT_EQ(all["channels"].size(), 2U);
  const Json& x = all["channels"][0];
  EXPECT_EQ(x["channel"], "P.x");
  EXPECT_EQ(x["unit"], "m");
  EXPECT_EQ(x["n"], 4);
  EXPECT_EQ(x["max"], 1);
  EXPECT_NEAR(x["sd"], std::sqrt(1.0 / 3), 1e-15);
  EXPECT_NEAR(x["icc_consistency"], 8.0 / 9, 1e-14);
  EXPECT_NEAR(x["icc_absolute"], 16.0 / 19, 1e-14);
  EXPECT_TRUE(all["channels"][1]["icc_absolute"].is_null());
  EXPECT_EQ(all["only_in_a"], Json{"mine"});
  const Answer csv = mubody({"agree", "A.csv", "B.csv", "--format", "csv", "--channels", "P.y"});
  EXPECT_EQ(csv.out,
            "table,channel,unit,n,max,time[s],rms,bias,sd,lower,upper,icc_consistency,icc_absolute\n"
            "A,P.y,m,4,0,0,0,0,0,0,0,,\n");
}

TEST_F(AgreeVerb, interpolates_the_finer_file) {
  std::string coarse = "time[s],x[m]\n", fine = "time [s]; x [m]\n";
  for (int k = 0; k <= 10; ++k)
    coarse += std::to_string(k * 0.1) + ',' + std::to_string(std::sin(k * 0.1)) + '\n';
  for (int k = 0; k <= 40; ++k)
    fine += std::to_string(k * 0.03) + ';' + std::to_string(std::sin(k * 0.03)) + '\n';
  write("coarse.csv", coarse);
  write("fine.csv", fine);
  for (const auto& [a, b] : {std::pair{"coarse.csv", "fine.csv"}, {"fine.csv", "coarse.csv"}}) {
    const Json all = json({a, b});
    EXPECT_EQ(all["channels"][0]["n"], 11);
    EXPECT_EQ(all["to"], 1);
    EXPECT_LT(all["channels"][0]["max"], 2e-6) << "six decimals, and the error of the spline";
    EXPECT_GT(all["channels"][0]["max"], 0);
  }
}

TEST_F(AgreeVerb, tolerance_decides_the_exit_code) {
  write("A.csv", first);
  write("B.csv", second);
  EXPECT_EQ(mubody({"agree", "A.csv", "B.csv", "--tolerance", "1"}).code, 0);
  EXPECT_EQ(mubody({"agree", "A.csv", "B.csv", "--tolerance", "0", "--channels", "P.y"}).code, 0);
  const Answer a = mubody({"agree", "A.csv", "B.csv", "--tolerance", "0.5"});
  EXPECT_EQ(a.code, 5);
  EXPECT_TRUE(has(a.out, "P.x"));
  EXPECT_EQ(a.err, "mubody: 1 of 2 channels differ by more than 0.5: 'P.x' by 1 m at 0 s\n");
  const Answer json = mubody({"agree", "A.csv", "B.csv", "--tolerance", "0.5", "--format", "json"});
  EXPECT_EQ(json.code, 5);
  EXPECT_EQ(Json::parse(json.out)["beyond"], Json{"P.x"});
  EXPECT_EQ(mubody({"agree", "A.csv", "B.csv", "--tolerance", "-1"}).code, 2);
  EXPECT_EQ(mubody({"agree", "A.csv", "B.csv", "--tolerance", "small"}).code, 2);
  EXPECT_EQ(mubody({"agree", "A.csv"}).code, 2);
}

TEST_F(AgreeVerb, differences_of_strangers_are_counted_and_not_named) {
  write("A.csv", first);
  write("B.csv", second);
  const Answer a = mubody({"agree", "A.csv", "B.csv", "--tolerance", "0.5", "--untrusted"});
  EXPECT_EQ(a.code, 5);
  EXPECT_EQ(a.err, "mubody: 1 of 2 channels differ by more than 0.5\n");
}

TEST_F(AgreeVerb, compares_folders_of_results) {
  write("pendulum.toml", pendulum);
  ASSERT_EQ(mubody({"run", "pendulum.toml", "-q", "-o", "one"}).code, 0);
  ASSERT_EQ(mubody({"run", "pendulum.toml", "-q", "-o", "two", "-s", "output.step=0.02"}).code, 0);
  const Json all = json({"one", "two"});
  std::set<std::string> tables;
  for (const Json& channel : all["channels"]) tables.insert(channel["table"].get<std::string>());
  EXPECT_EQ(tables, (std::set<std::string>{"bodies", "joints", "points", "energy"}));
  EXPECT_EQ(all["only_in_a"], Json::array());
  for (const Json& channel : all["channels"])
    if (channel["channel"] == "rod.x") {
      EXPECT_EQ(channel["n"], 11);
      EXPECT_LT(channel["max"], 1e-5);
      EXPECT_GT(channel["icc_absolute"], 0.999999);
    }
  EXPECT_TRUE(mubody({"agree", "one", "one", "--tolerance", "0"}).out.find("bodies  rod.x") !=
              std::string::npos);
  const Answer chosen = mubody({"agree", "one", "two", "--channels", "tip.x,rod.x"});
  EXPECT_TRUE(has(chosen.out, ": 2 channels from 0 to 0.5 s")) << chosen.out;

  fs::create_directory(folder / "empty");
  expect_error({"agree", "one", "empty"},
               "one and empty have no table in common; looked for bodies, joints, points, forces, signals, "
               "energy (.csv or .npy)");
  expect_error({"agree", "one", "pendulum.toml"},
               "one is a folder and pendulum.toml a file; expected two of a kind");
}

TEST_F(AgreeVerb, tells_why_files_cannot_be_compared) {
  write("A.csv", first);
  const auto expect = [&](const std::string& b, const std::string& message) {
    write("B.csv", b);
    expect_error({"agree", "A.csv", "B.csv"}, message);
  };
  expect_error({"agree", "A.csv", "none.csv"}, "none.csv: no such file or folder");
  expect("", "B.csv: is empty");
  expect("time[s],P.x[m]\n", "B.csv: no numbers");
  expect("0,1\n1,2\n", "B.csv:1: the first row must hold the names of the columns");
  expect("time[s],P.x[m]\n0,1\n1,two\n", "B.csv:3: 'two' is not a number");
  expect("time[s],P.x[m]\n0,1\n1\n", "B.csv:3: 1 number, expected 2");
  expect("# twice\ntime[s],P.x[m],P.x[mm]\n0,1,1\n", "B.csv:2: two columns are called 'P.x'");
  expect("time[s],P.x[m]\n0,1\n\n0,2\n", "B.csv:4: time 0 does not come after 0: times must increase");
  expect("time[s],Q.x[m]\n0,1\n", "A.csv and B.csv have no channel in common");
  expect("time[s],P.x[m]\n4,1\n5,1\n", "no common times: A.csv goes from 0 to 3, B.csv from 4 to 5");
  expect("# in mm\ntime[s],P.x[mm]\n0,1\n",
         "'P.x' is in 'm' in A.csv:1, and in 'mm' in B.csv:2: units must agree");
  expect("time[ms],P.x[m]\n0,1\n", "the time is in 's' in A.csv:1, and in 'ms' in B.csv:1: units must agree");

  write("B.csv", second);
  expect_error({"agree", "A.csv", "B.csv", "--channels", "P.x,P.z"},
               "no channel 'P.z' in A.csv and B.csv; did you mean 'P.x'?");
  expect_error({"agree", "A.csv", "B.csv", "--channels", "mine"}, "B.csv: no channel 'mine'");
  expect_error({"agree", "A.csv", "B.csv", "--channels", "yours"}, "A.csv: no channel 'yours'");
  const Answer json = mubody({"agree", "A.csv", "none.csv", "--format", "json"});
  EXPECT_EQ(json.code, 2);
  EXPECT_EQ(Json::parse(json.out)["error"], "none.csv: no such file or folder");
}

TEST_F(AgreeVerb, understands_headers_of_others) {
  write("A.csv", "time[s],P.ax[m/s2],\"a, b[m]\"\n0,1,7\n1,2,8\n");
  write("B.csv", "t;P.ax (m/s^2);a, b\n0;1;7\n1;2;8\n");
  const Json all = json({"A.csv", "B.csv", "--tolerance", "0"});
  ASSERT_EQ(all["channels"].size(), 2U);
  EXPECT_EQ(all["channels"][0]["unit"], "m/s2");
  EXPECT_EQ(all["channels"][1]["channel"], "a, b");
  EXPECT_EQ(all["channels"][1]["unit"], "m") << "a missing unit is that of the other file";
}
}  // namespace
}  // namespace mubody::testing
