// The files that the reader accepts, and the models it returns.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>

#include "mubody/mubodyna/words.h"
#include "tests/mubodyna/models.h"

namespace mubody::testing {
namespace {
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

void expect_same_file(const mub::File& a, const mub::File& b) {
  const auto same = [](const mub::Rows& x, const mub::Rows& y) {
    return std::ranges::equal(x, y, [](const mub::Row& r, const mub::Row& s) { return r.values == s.values; });
  };
  for (const mub::Section& s : mub::sections()) EXPECT_TRUE(same(a[s.letter], b[s.letter])) << s.letter;
  EXPECT_TRUE(same(a.guiding_data, b.guiding_data));
  EXPECT_TRUE(same(a.force_data, b.force_data));
}

const std::string every = text_in(data_file("every_section.mub"));
const mub::File whole = mub::read_file(every, "every.mub");

TEST(mubodyna_reader, takes_numbers_in_fortran_notation) {
  EXPECT_EQ(mub::fortran_number("1.0D-3"), 1e-3);
  EXPECT_EQ(mub::fortran_number("1.0d+03"), 1000);
  EXPECT_EQ(mub::fortran_number(".5"), 0.5);
  EXPECT_EQ(mub::fortran_number("-.5E1"), -5);
  EXPECT_EQ(mub::fortran_number("-4.200"), -4.2);
  EXPECT_EQ(mub::fortran_number("1."), 1);
  EXPECT_EQ(mub::fortran_number("+2"), 2);
  EXPECT_EQ(mub::fortran_number("3q2"), 300);
  EXPECT_EQ(mub::fortran_number("1.D0"), 1);
  EXPECT_EQ(mub::fortran_number("1D-999"), 0);
  EXPECT_EQ(mub::fortran_number("-1D-999"), 0);
  EXPECT_TRUE(std::isinf(*mub::fortran_number("1D999")));
  EXPECT_EQ(mub::fortran_number("1.5-3"), 1.5e-3);
  EXPECT_EQ(mub::fortran_number("2.0+0"), 2);
  EXPECT_EQ(mub::fortran_number("-.25+2"), -25);
  for (const char* word : {"", ".", "+", "-.", "1D", "1D+", "1e1.5", "0x1", "nan", "inf", "1.5-", "1.5-3.",
                           "1,5", "--1", "+-1", "1+-1", "3*0"})
    EXPECT_FALSE(mub::fortran_number(word)) << word;
}

// The manual's example as FORTRAN programmers would have typed it.
TEST(mubodyna_reader, takes_every_list_that_fortran_takes) {
  const mub::File printed = mub::read_file(text_in(example_file("half_hat_leg/model.mub")), "");
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(MUBODY_SOURCE_DIR "/tests/mubodyna/fortran")) {
    SCOPED_TRACE(entry.path().filename());
    expect_same_file(mub::read_file(text_in(entry.path().string()), entry.path().string()), printed);
    ++files;
  }
  EXPECT_EQ(files, 10);
}

TEST(mubodyna_reader, divides_records_as_fortran_does) {
  const auto values = [](std::string rows) {
    Parts p;
    p.motion = std::move(rows);
    return mub::read_file(p.text(), "")['b'][0].values;
  };
  const std::vector<double> numbers{1, 2, 0, 0, 0, 6};
  EXPECT_EQ(values("1 2 3*0 6\n"), numbers);
  EXPECT_EQ(values("1,2,3*,6\n"), numbers);
  EXPECT_EQ(values("1 , 2\n,0 2*0\n6 the last\n"), numbers);
  EXPECT_EQ(values("1,2,\n,,,6\n"), numbers);
  EXPECT_EQ(values("1.+0 20-1 ,, 2*0. 6/ 7 8 9\n"), numbers);
  EXPECT_EQ(values("1/\n"), (std::vector<double>{1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(values("/\n"), (std::vector<double>{0, 0, 0, 0, 0, 0}));
}

TEST(mubodyna_reader, takes_headings_with_or_without_explanation) {
  std::string text = every;
  for (const mub::Section& s : mub::sections()) {
    const std::string title = "\n" + std::string(s.title);
    text = replaced(text, title + "\n", title + " - " + std::string(s.explanation) + "\n");
  }
  ASSERT_NE(text, every);
  expect_same_file(mub::read_file(text, ""), whole);
  text = replaced(text, " - Number of elements of the Multibody System", "");
  expect_same_file(mub::read_file(text, ""), whole);
}

// The manual writes titles with blanks and with underscores, in index, list, text and flowchart.
TEST(mubodyna_reader, takes_the_titles_of_the_whole_manual) {
  std::string text = every;
  const std::pair<const char*, const char*> other[] = {
      {"GENERIC_INFORMATION", "(a) General Information"},
      {"INITIAL_CONDITIONS", "INPUT_INITIAL_CONDITIONS"},
      {"INERTIA_PROPERTIES", "Inertia Properties"},
      {"CONSTANT_APPLIED_FORCES", "(d) CONSTANT APPLIED FORCES"},
      {"IDEAL_REVOLUTE_JOINTS", "  ideal revolute joints"},
      {"\nTRANSLATIONAL_JOINTS", "\n(h) Ideal Translational Joints"},
      {"TRANSLATIONAL_SPRINGS", "Translational Spring-Damper-Actuator"},
      {"ROTATIONAL_SPRINGS", "(n) Rotational Spring-Damper"},
      {"EXTERNAL_APPLIED_FORCES", "Reaction External Forces"},
      {"POINTS_OF_INTEREST", "(p) Point of Interest"}};
  for (const auto& [from, to] : other) {
    const std::string before = text;
    text = replaced(text, from, to);
    EXPECT_NE(text, before) << from;
  }
  EXPECT_TRUE(mub::is_mubodyna(text, "model.dat"));
  expect_same_file(mub::read_file(text, ""), whole);
}

TEST(mubodyna_reader, takes_blank_lines_anywhere) {
  expect_same_file(mub::read_file("\n\n" + replaced(every, "\n", "\n\n  \t\n"), ""), whole);
  expect_same_file(mub::read_file(replaced(every, "\n\n", "\n"), ""), whole);
  expect_same_file(mub::read_file("\xEF\xBB\xBF" + replaced(every, "\n", "\r\n"), ""), whole);
  expect_same_file(mub::read_file(replaced(every, "  ", "\t "), ""), whole);
}

TEST(mubodyna_reader, takes_empty_sections_absent_or_present) {
  const Parts p;
  const mub::File absent = mub::read_file(p.text(), "");
  Parts q;
  for (const mub::Section& s : mub::sections())
    if (s.letter >= 'e' && s.letter <= 'p') q.more += std::string(s.title) + "\n\n";
  expect_same_file(mub::read_file(q.text(), ""), absent);
  EXPECT_EQ(io::read_study_text(q.text(), "one.mub").mechanism.bodies.size(), 1u);
}

TEST(mubodyna_reader, takes_titles_of_columns_and_remarks) {
  std::string text = replaced(every, "INITIAL_CONDITIONS\n", "INITIAL_CONDITIONS\nX Y PHI XD YD PHID\n");
  text =
      replaced(text, "IDEAL_REVOLUTE_JOINTS\n", "IDEAL_REVOLUTE_JOINTS\n I J XI-P-I ETA-P-I XI-P-J ETA-P-J\n");
  text = replaced(text, "  6 1\n", "  6 1 follows data\nTime Guid_1 ...\n");
  text = replaced(text, "  3\n  6\n", "  3 the rod\n  6\n Time FX_1 FY_1 X_P_1 Y_P_1 FX_2 FY_2 X_P_2 Y_P_2\n");
  text = "! a remark\n" + text + "! the end\n";
  expect_same_file(mub::read_file(text, ""), whole);
}

TEST(mubodyna_reader, recognises_files_by_content) {
  EXPECT_TRUE(mub::is_mubodyna(every, "model.toml"));
  EXPECT_TRUE(mub::is_mubodyna("\n\n  generic information\n", "noname"));
  EXPECT_FALSE(mub::is_mubodyna("name = \"x\"\n", "model.mub"));
  EXPECT_FALSE(mub::is_mubodyna("# TOML\n[bodies]\n", "model.mub"));
  EXPECT_FALSE(mub::is_mubodyna("[bodies]\na = {mass = 1}\n", "model.toml"));
  EXPECT_TRUE(mub::is_mubodyna("rubbish\n", "model.mub"));
  EXPECT_EQ(io::read_study_text(every, "model.toml").mechanism.bodies.size(), 5u);
}

TEST(mubodyna_reader, takes_names_from_comments) {
  const mub::Names names = mub::names_of(whole);
  EXPECT_EQ(names.model, "every section");
  EXPECT_EQ(names.body(1), "ground");
  EXPECT_EQ(names.body(3), "rod");
  EXPECT_EQ(names('e', 1), "B");
  EXPECT_EQ(names('m', 1), "spring_2");
  // Names that are invalid or taken are replaced.
  const mub::Names other =
      mub::names_of(mub::read_file(replaced(replaced(every, "! B", "! A"), "! C", "! 3rd joint"), ""));
  EXPECT_EQ(other('e', 0), "A");
  EXPECT_EQ(other('e', 1), "revolute_2");
  EXPECT_EQ(other('e', 2), "revolute_3");
}

TEST(mubodyna_reader, takes_weights_for_gravity) {
  Parts p;
  p.inertia = "19.2213 1\n";
  p.forces = "0 -188.560953 0.25\n";
  const Study s = io::read_study_text(p.text(), "x.mub");
  EXPECT_EQ(s.mechanism.gravity, Vec<3>(0, -9.81, 0));
  ASSERT_EQ(s.mechanism.forces.size(), 1u);
  EXPECT_EQ(s.mechanism.forces[0].what->info().name, "moment");
  p.counts.replace(0, 1, "2");
  p.motion += "1 0 0 0 0 0\n";
  p.inertia += "2 1\n";
  p.forces += "0 -19 0\n";
  const Study other = io::read_study_text(p.text(), "x.mub");
  EXPECT_EQ(other.mechanism.gravity.norm(), 0);
  EXPECT_EQ(other.mechanism.forces.size(), 3u);
}

// On one body a constant force is a force, unless it is the weight.
TEST(mubodyna_reader, does_not_take_every_force_for_gravity) {
  Parts p;
  p.forces = "3 0 0\n";
  const Study s = io::read_study_text(p.text(), "x.mub");
  EXPECT_EQ(s.mechanism.gravity.norm(), 0);
  EXPECT_EQ(s.mechanism.forces.size(), 1u);
}

TEST(mubodyna_reader, knows_the_methods_and_gains) {
  const auto model = [](const std::string& times) {
    Parts p;
    p.times = times;
    return mub::model_of(mub::read_file(p.text(), ""));
  };
  const char* names[] = {"rk4", "merson", "verner", "adams", "bdf", "shampine-gordon"};
  for (int method = 1; method <= 6; ++method) {
    const io::Node m = model("0 1 1D-3 " + std::to_string(method) + " 0 0\n");
    EXPECT_EQ(m.find("analysis")->find("integrator")->text, names[method - 1]);
    EXPECT_EQ(m.find("analysis")->find("treatment")->text, "standard");
  }
  const io::Node m = model("0 1 1D-3 1 0 2.5\n");
  EXPECT_EQ(m.find("analysis")->find("treatment")->find("type")->text, "baumgarte");
  EXPECT_EQ(m.find("analysis")->find("treatment")->find("beta")->number, 2.5);
}

// Sections (f) and (g), as the keys of a revolute joint.
TEST(mubodyna_reader, translates_clearance) {
  const auto gap = [](const std::string& material) {
    Parts p;
    p.counts = "2\n0\n1\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n";
    p.motion = "0 0 0 0 0 0\n1 0 0 0 0 0\n";
    p.inertia = "1 1\n1 1\n";
    p.forces = "0 0 0\n0 0 0\n";
    p.more =
        "CLEARANCE_REVOLUTE_JOINTS\n1 2 0.5 0 -0.5 0 0.010 0.0095\nMECHANICAL_PROPERTIES\n" + material + "\n";
    const io::Node model = mub::model_of(mub::read_file(p.text(), ""));
    return *model.find("joints")->find("clearance_1")->find("clearance");
  };
  const io::Node dry = gap("3 0.1 0.8 207D9 0.3 0.2 0.9 100D9 0.25 0");
  EXPECT_EQ(dry.find("bearing_radius")->number, 0.010);
  EXPECT_EQ(dry.find("journal_radius")->number, 0.0095);
  EXPECT_EQ(dry.find("law")->find("type")->text, "lankarani_nikravesh");
  EXPECT_DOUBLE_EQ(dry.find("law")->find("restitution")->number, 0.85);
  EXPECT_EQ(dry.find("materials")->find("young_j")->number, 100e9);
  EXPECT_DOUBLE_EQ(dry.find("friction")->number, 0.15);
  EXPECT_EQ(gap("2 0 0 207D9 0.3 0 0 100D9 0.25 0").find("law")->find("type")->text, "hertz");
  EXPECT_EQ(gap("4 0 0.9 207D9 0.3 0 0.9 100D9 0.25 0").find("law")->find("type")->text, "hunt_crossley");
  const io::Node wet = gap("1 0 0 0 0 0 0 0 0 0.04");
  EXPECT_EQ(wet.find("lubricant")->find("viscosity")->number, 0.04);
  EXPECT_EQ(wet.find("lubricant")->find("length")->number, 1);
  EXPECT_EQ(wet.find("law"), nullptr);
  EXPECT_EQ(gap("1 8*0 0.04 0.02").find("lubricant")->find("length")->number, 0.02);
  EXPECT_EQ(gap("1 8*0 0.04 oil").find("lubricant")->find("length")->number, 1);
  EXPECT_EQ(gap("1 8*0 0.04 /").find("lubricant")->find("length")->number, 1);
}

// However a good file is damaged, the reader returns a model or throws a message.
TEST(mubodyna_reader, survives_damage) {
  std::mt19937 random(20100);
  const std::string bytes = "0123456789.-+eD*/, \t\n!()_abcXYZ\xC3\r";
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text = every;
    for (int n = 0; n < 1 + trial % 5; ++n) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0: text[at] = bytes[random() % bytes.size()]; break;
        case 1: text.erase(at, random() % 40); break;
        default: text.insert(at, 1, bytes[random() % bytes.size()]);
      }
    }
    try {
      mub::model_of(mub::read_file(text, "damaged.mub"));
    } catch (const ModelError& e) {
      EXPECT_TRUE(std::string_view(e.what()).starts_with("damaged.mub:")) << e.what();
    }
  }
}
}  // namespace
}  // namespace mubody::testing
