#define _POSIX_C_SOURCE 200809L
#include "stream.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>

enum { CLIENTS = 8, COORDINATES = 7, BODIES = car_BODY_NUMBERS / 13, MOST_PAGE = 1 << 25 };

/* What the loop shows the server: written by the one only when the other does not read it. */
static struct {
  pthread_mutex_t lock;
  double t;
  car_real bodies[car_BODY_NUMBERS];
  char note[80];
} shown = {.lock = PTHREAD_MUTEX_INITIALIZER};

long long nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static char* page = NULL;
static size_t page_size = 0;
static int clients[CLIENTS], listener = -1;

/* A client that does not take it at once is not waited for. */
static int send_all(int to, const char* text, size_t size) {
  const long long until = nanoseconds() + 200000000LL;
  while (size > 0) {
    const ssize_t sent = send(to, text, size, MSG_NOSIGNAL);
    if (sent <= 0 || (nanoseconds() > until && (size_t)sent < size) || ended) return -1;
    text += sent, size -= (size_t)sent;
  }
  return 0;
}
/* Pages of other names may not look, even if somebody says that these are here. */
static int is_ours(const char* request) {
  const char* const host = strstr(request, "\r\nHost: ");
  char name[40] = "";
  if (!host || sscanf(host, " Host: %39[^:\r\n]", name) != 1) return 0;
  return strcmp(name, "127.0.0.1") == 0 || strcmp(name, "localhost") == 0;
}
static void answer(int to) {
  static const char events[] =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\r\n";
  static const char html[] =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n\r\n";
  char request[2048] = "";
  int k = 0;
  const int ours = recv(to, request, sizeof request - 1, 0) > 0 && is_ours(request);
  if (ours && strncmp(request, "GET /events ", 12) == 0) {
    while (k < CLIENTS && clients[k] >= 0) ++k;
    if (k < CLIENTS && send_all(to, events, sizeof events - 1) == 0) {
      clients[k] = to;
      return;
    }
  } else if (ours && page && send_all(to, html, sizeof html - 1) == 0) {
    send_all(to, page, page_size);
  }
  close(to);
}
static void tell(void) {
  static car_real bodies[car_BODY_NUMBERS];
  static char text[BODIES * COORDINATES * 20 + 200];
  size_t at;
  int b, k;
  pthread_mutex_lock(&shown.lock);
  memcpy(bodies, shown.bodies, sizeof bodies);
  at = (size_t)snprintf(text, 200, "data: {\"t\": %.3f, \"note\": \"%s\", \"bodies\": [", shown.t, shown.note);
  pthread_mutex_unlock(&shown.lock);
  for (b = 0; b < BODIES; ++b)
    for (k = 0; k < COORDINATES; ++k) /* 16 characters at most */
      at += (size_t)snprintf(text + at, 20, "%s%.7g%s",
                             k   ? ","
                             : b ? ",["
                                 : "[",
                             (double)bodies[b * COORDINATES + k], k == COORDINATES - 1 ? "]" : "");
  at += (size_t)snprintf(text + at, 5, "]}\n\n");
  for (k = 0; k < CLIENTS; ++k)
    if (clients[k] >= 0 && send_all(clients[k], text, at) != 0) close(clients[k]), clients[k] = -1;
}
void* serve(void* nothing) {
  while (!ended) {
    struct pollfd wait = {.fd = listener, .events = POLLIN};
    const struct timeval patience = {.tv_usec = 200000};
    if (poll(&wait, 1, 33) > 0) {
      const int to = accept(listener, NULL, NULL);
      if (to < 0) continue;
      setsockopt(to, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
      setsockopt(to, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
      answer(to);
    }
    tell();
  }
  return nothing;
}
int open_server(const char* file, int port) {
  const struct sockaddr_in here = {
      .sin_family = AF_INET, .sin_port = htons((unsigned short)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  const int yes = 1;
  FILE* const in = fopen(file, "rb");
  int k;
  for (k = 0; k < CLIENTS; ++k) clients[k] = -1;
  if (!in) return fprintf(stderr, "drive: cannot read %s\n", file), -1;
  page = malloc(MOST_PAGE);
  page_size = page ? fread(page, 1, MOST_PAGE, in) : 0;
  k = feof(in) && !ferror(in);
  fclose(in);
  if (!k) return fprintf(stderr, "drive: %s has more than %d bytes, or cannot be read\n", file, MOST_PAGE), -1;
  listener = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(listener, (const struct sockaddr*)&here, sizeof here) != 0 || listen(listener, CLIENTS) != 0)
    return fprintf(stderr, "drive: port %d is not free; choose another with --port\n", port), -1;
  printf("http://127.0.0.1:%d/?live=events shows the car\n", port);
  return 0;
}
void show(const car_state* car, double load, long missed) {
  if (pthread_mutex_trylock(&shown.lock) != 0) return;
  car_bodies(car, shown.bodies);
  shown.t = (double)car->x[0];
  snprintf(shown.note, sizeof shown.note, "load %.1f %%, %ld deadlines missed", load, missed);
  pthread_mutex_unlock(&shown.lock);
}
