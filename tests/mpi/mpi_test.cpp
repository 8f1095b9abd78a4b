// ktln2-mpi: the same bytes as one process, from however many, also after one of them was killed.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "scratch_folder.hpp"
#include "test_configuration.hpp"

namespace {

namespace fs = std::filesystem;

struct outcome {
  int status;
  std::string out;
};

/// What a shell command prints on stdout; stderr goes where it may.
outcome shell(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  char block[4096];
  while (const std::size_t n = std::fread(block, 1, sizeof block, pipe)) text.append(block, n);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text};
}

/// As many processes as asked for, whatever the machine has; root is allowed, as in a container.
/// Those that are left when one has failed are not waited for.
std::string mpirun(int processes, const std::string& line) {
  return "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
         "OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl=self,vader "
         "OMPI_MCA_btl_vader_single_copy_mechanism=none "
         "OMPI_MCA_odls_base_sigkill_timeout=0 " KTLN2_MPIEXEC " -n " +
         std::to_string(processes) + " " KTLN2_MPI_PROGRAM " " + line + " 2>/dev/null";
}

outcome alone(const std::string& line) {
  return shell(std::string(KTLN2_PROGRAM) + " " + line + " 2>/dev/null");
}

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

class mpi : public testing::Test {
 protected:
  [[nodiscard]] fs::path file(const char* name) const { return folder_.path(name); }

 private:
  scratch folder_;
};

TEST_F(mpi, sweeps_to_the_same_bytes_with_any_number_of_processes) {
  const std::string line = "sweep entropy p11e5 normal --over p=8:12 --over sigma=0.1:10:500:log";
  const outcome one = alone(line);
  ASSERT_EQ(one.status, 0);
  for (const int processes : {1, 2, 4}) {
    const outcome many = shell(mpirun(processes, line));
    EXPECT_EQ(many.status, 0);
    EXPECT_EQ(many.out, one.out) << processes;
  }
}

TEST_F(mpi, writes_the_same_files) {
  const std::string line = "sweep entropy p11e5 normal --over sigma=0.1:10:3000:log --out ";
  ASSERT_EQ(alone(line + file("one.csv").string()).status, 0);
  ASSERT_EQ(alone(line + file("one.npz").string()).status, 0);
  ASSERT_EQ(shell(mpirun(3, line + file("many.csv").string())).status, 0);
  ASSERT_EQ(shell(mpirun(3, line + file("many.npz").string())).status, 0);
  EXPECT_EQ(content(file("many.csv")), content(file("one.csv")));
  EXPECT_EQ(content(file("many.npz")), content(file("one.npz")));
}

/// The process of the job that has this rank, as soon as there is one.
pid_t process_of_rank(int rank, const std::string& file) {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string words = content(entry.path() / "cmdline");
    const std::string environment = content(entry.path() / "environ");
    const std::string mark = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank);
    if (words.find("ktln2-mpi") != std::string::npos && words.find(file) != std::string::npos &&
        (std::string(1, '\0') + environment).find(std::string(1, '\0') + mark + '\0') !=
            std::string::npos) {
      return static_cast<pid_t>(std::stol(name));
    }
  }
  return 0;
}

TEST_F(mpi, goes_on_after_any_process_was_killed) {
  const std::string line = "sweep entropy p24e8 normal --over sigma=0.1:10:20000:log --out ";
  ASSERT_EQ(alone(line + file("one.csv").string()).status, 0);
  for (const int victim : {1, 0}) {
    const fs::path out = file(victim == 0 ? "first.csv" : "second.csv");
    const fs::path part = out.string() + ".part";
    const std::string command = mpirun(3, line + out.string());
    std::thread job([&] { EXPECT_NE(shell(command).status, 0); });
    const auto has_begun = [&] { return fs::exists(part) && fs::file_size(part) > 20000; };
    while (!has_begun() && !fs::exists(out)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const pid_t process = process_of_rank(victim, out.string());
    ASSERT_GT(process, 0);
    kill(process, SIGKILL);
    job.join();
    ASSERT_FALSE(fs::exists(out)) << "it was too quick to be killed";
    EXPECT_EQ(shell(mpirun(2, line + out.string())).status, 0);
    EXPECT_EQ(content(out), content(file("one.csv")));
  }
}

TEST_F(mpi, simulates_the_same_numbers) {
  const std::string line = "simulate slope p6e4 --n 10 --trials 30000 --csv";
  const outcome one = alone(line);
  ASSERT_EQ(one.status, 0);
  for (const int processes : {1, 2, 4}) {
    EXPECT_EQ(shell(mpirun(processes, line)).out, one.out) << processes;
  }
}

TEST_F(mpi, ends_with_a_mistake_as_one_process_does) {
  const std::string line = "sweep entropy p4e4 normal --over sigma=3,2,1,-1,5";
  EXPECT_EQ(shell(mpirun(2, line)).out, alone(line).out);
  EXPECT_EQ(shell(mpirun(2, line)).status, 2);
  EXPECT_EQ(shell(mpirun(2, "sweep entropy p4e4 nrmal --over sigma=1,2")).status, 2);
  EXPECT_EQ(shell(mpirun(2, "entropy p4e4 normal")).status, 2);
  EXPECT_EQ(
      shell(mpirun(2, "sweep entropy p4e4 normal --over sigma=1,2 --out /nowhere/a.csv")).status,
      2);
}

TEST_F(mpi, measures_files_to_the_same_bytes) {
  // Files of several kinds and sizes, one of them broken: its error is told, the others count.
  const fs::path weights = fs::path(KTLN2_REFERENCE_DIR) / "data/gpt-block-bf16.safetensors";
  const fs::path table = file("table.csv");
  std::ofstream(table) << "a,b\n1,2\n3,4.5\n-1,1e-3\n";
  const fs::path broken = file("broken.npy");
  std::ofstream(broken) << "no array";
  const std::string line = "measure " + weights.string() + " " + table.string() + " " +
                           broken.string() + " --as e4m3,mxfp4 --json";
  const outcome one = alone(line);
  EXPECT_EQ(one.status, 2);
  EXPECT_NE(one.out.find("\"name\": \"b\""), std::string::npos);
  for (const int processes : {1, 2, 3}) {
    const outcome many = shell(mpirun(processes, line));
    EXPECT_EQ(many.status, 2);
    EXPECT_EQ(many.out, one.out) << processes;
  }
}

}  // namespace
