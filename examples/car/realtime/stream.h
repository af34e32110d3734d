/* The page of a car that is driving: a report of it, and poses for it, on 127.0.0.1. */
#ifndef STREAM_H
#define STREAM_H
#include <signal.h>

#include "car.h"

extern volatile sig_atomic_t ended; /* of the program: nobody is served any longer */
long long nanoseconds(void);

/* Reads the page and takes the port; −1 with a message if one of the two cannot be had. */
int open_server(const char* file, int port);
/* Serves until the program has ended; a function of a thread. */
void* serve(void* nothing);
/* Shows where the car is, if the server does not read just now. */
void show(const car_state* car, double load, long missed);
#endif
