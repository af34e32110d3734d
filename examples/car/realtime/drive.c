/* Drives the generated car in real time: a step of 1 ms every millisecond of the wall clock.

     drive [--seconds N] [--driver FILE | --keys] [--page FILE] [--port N]

   A driver's file has lines "time rack speed foot": what holds from that time [s] on, the travel of the rack [m], the
   wanted speed [m/s], and the foot on the brake from 0 to 1.  With --keys the arrows steer and choose the speed, space brakes
   and q ends.  The page is a report of the car; http://127.0.0.1:8080/?live=events shows it driving.

   Prints the load and the deadlines that were missed; returns 0 if at most one of a thousand was. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <sys/mman.h>

#include "car.h"
#include "stream.h"

enum { ROWS = 10000, PERIOD = 1000000 };

typedef struct {
  double t, rack, speed, foot;
} wish;

volatile sig_atomic_t ended;
static void end(int signal) { ended = 1 + 0 * signal; }

/* Sleeps, but not for the last part: who wakes late would miss the beginning. */
static void wait_until(long long at) {
  const long long early = at - 200000;
  const struct timespec t = {.tv_sec = early / 1000000000LL, .tv_nsec = early % 1000000000LL};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) != 0 && !ended) {
  }
  while (nanoseconds() < at && !ended) {
  }
}

/* The driver ------------------------------------------------------------------------------------------------------ */

static int read_driver(const char* file, wish* rows) {
  FILE* const in = fopen(file, "r");
  char line[200], more;
  int n = 0, at = 1;
  if (!in) return fprintf(stderr, "drive: cannot read %s\n", file), -1;
  for (; n >= 0 && fgets(line, sizeof line, in); ++at) {
    wish w;
    const int found = sscanf(line, "%lf %lf %lf %lf %c", &w.t, &w.rack, &w.speed, &w.foot, &more);
    if (found == EOF) continue; /* an empty line */
    if (found == 4 && n < ROWS && fabs(w.t) < 1e6 && fabs(w.rack) < 1 && fabs(w.speed) < 1e3 &&
        fabs(w.foot) <= 1 && (n == 0 || w.t >= rows[n - 1].t)) {
      rows[n++] = w;
    } else {
      fprintf(stderr, "drive: %s, line %d: expected four numbers, time rack speed foot, in the order of time\n",
              file, at);
      n = -1;
    }
  }
  fclose(in);
  if (n == 0) fprintf(stderr, "drive: %s has no line with a time\n", file);
  return n > 0 ? n : -1;
}
static void press_keys(wish* w) {
  struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
  char keys[16];
  ssize_t k, n = poll(&ready, 1, 0) > 0 ? read(STDIN_FILENO, keys, sizeof keys) : 0;
  w->foot = w->foot > 0.01 ? w->foot - 0.002 : 0;
  for (k = 0; k < n; ++k) {
    if (keys[k] == 'q') ended = 1;
    if (keys[k] == ' ') w->foot = 1;
    if (k < 2 || keys[k - 1] != '[') continue;
    w->speed += keys[k] == 'A' ? 1 : keys[k] == 'B' ? -1 : 0;
    w->rack += keys[k] == 'D' ? 0.001 : keys[k] == 'C' ? -0.001 : 0;
  }
}

/* The loop -------------------------------------------------------------------------------------------------------- */

typedef struct {
  const char *driver, *file;
  long seconds;
  int keys, port;
} options;

static int read_options(int count, char** words, options* o) {
  int k;
  for (k = 1; k < count; ++k) {
    const char* const value = k + 1 < count ? words[k + 1] : "";
    if (strcmp(words[k], "--keys") == 0)
      o->keys = 1;
    else if (strcmp(words[k], "--seconds") == 0)
      o->seconds = atol(value), ++k;
    else if (strcmp(words[k], "--driver") == 0)
      o->driver = value, ++k;
    else if (strcmp(words[k], "--page") == 0)
      o->file = value, ++k;
    else if (strcmp(words[k], "--port") == 0)
      o->port = atoi(value), ++k;
    else
      return fprintf(stderr, "drive: unexpected '%s'; see the head of drive.c\n", words[k]), -1;
  }
  if (o->port < 1 || o->port > 65535) return fprintf(stderr, "drive: --port takes 1 to 65535\n"), -1;
  if (o->seconds < 1) return fprintf(stderr, "drive: --seconds takes a number above 0\n"), -1;
  return 0;
}
static int input(const char* name) {
  const int k = car_find_input(name);
  if (k < 0) fprintf(stderr, "drive: the car has no input '%s'\n", name), exit(2);
  return k;
}
/* If we may: no page is fetched and nobody else is served while we drive. */
static void come_first(void) {
  const struct sched_param first = {.sched_priority = 10};
  mlockall(MCL_CURRENT | MCL_FUTURE);
  sched_setscheduler(0, SCHED_FIFO, &first);
}

static int drive(const options* o, wish* rows, int rows_count) {
  static car_state car;
  wish now = {0, 0, 20, 0};
  const int rack = input("rack_to"), speed = input("speed"), foot = input("foot");
  car_real inputs[car_INPUT_COUNT];
  long n, missed = 0;
  long long begin, next, busy = 0, longest = 0;
  int k, row = 0, code = car_start(&car);
  for (k = 0; k < car_INPUT_COUNT; ++k) inputs[k] = car.x[car_INPUTS + 3 * k];
  come_first();
  begin = next = nanoseconds();
  for (n = 0; n < o->seconds * 1000 && !ended && code == 0; ++n) {
    const long long start = nanoseconds();
    long long used;
    while (row < rows_count && rows[row].t <= 1e-3 * (double)n) now = rows[row++];
    if (o->keys) press_keys(&now);
    inputs[rack] = (car_real)now.rack, inputs[speed] = (car_real)now.speed, inputs[foot] = (car_real)now.foot;
    code = car_step_with(&car, inputs, (car_real)1e-3);
    if (n % 20 == 0) show(&car, 100.0 * (double)busy / ((double)(n + 1) * PERIOD), missed);
    used = nanoseconds() - start;
    busy += used, longest = used > longest ? used : longest;
    next += PERIOD;
    if (nanoseconds() > next)
      ++missed;
    else
      wait_until(next);
  }
  if (code == 2) fprintf(stderr, "drive: %s left the range of its table after %ld ms\n", car_left(&car), n);
  if (code == 1) fprintf(stderr, "drive: the motion came to an end after %ld ms\n", n);
  printf("%ld steps in %.2f s: load %.2f %%, longest step %.0f us, %ld deadlines missed (%.3f %%)\n", n,
         1e-9 * (double)(nanoseconds() - begin), n ? 100.0 * (double)busy / ((double)n * PERIOD) : 0.0,
         1e-3 * (double)longest, missed, n ? 100.0 * (double)missed / (double)n : 0.0);
  return code != 0 ? 3 : 1000 * missed > n;
}

int main(int count, char** words) {
  static wish rows[ROWS];
  options o = {.seconds = 60, .port = 8080};
  struct termios was, raw;
  pthread_t server;
  int rows_count = 0, code;
  if (read_options(count, words, &o) != 0) return 2;
  if (o.driver && (rows_count = read_driver(o.driver, rows)) < 0) return 2;
  if (o.file && (open_server(o.file, o.port) != 0 || pthread_create(&server, NULL, serve, NULL) != 0)) return 2;
  signal(SIGINT, end);
  signal(SIGTERM, end);
  o.keys = o.keys && tcgetattr(STDIN_FILENO, &was) == 0;
  if (o.keys) {
    raw = was, raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  }
  code = drive(&o, rows, rows_count);
  ended = 1;
  if (o.keys) tcsetattr(STDIN_FILENO, TCSANOW, &was);
  if (o.file) pthread_join(server, NULL);
  return code;
}
