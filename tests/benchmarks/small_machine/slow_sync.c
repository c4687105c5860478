/* A disk that is slow to sync: every call sleeps first, for TOCSIN_SYNC_MS milliseconds. For LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>

static void rest(void) {
    const char *said = getenv("TOCSIN_SYNC_MS");
    long ms = said ? atol(said) : 0;
    struct timespec left = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&left, &left) != 0) {
    }
}

int fsync(int fd) {
    rest();
    return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd);
}

int fdatasync(int fd) {
    rest();
    return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd);
}

int sync_file_range(int fd, off_t start, off_t size, unsigned int flags) {
    rest();
    return ((int (*)(int, off_t, off_t, unsigned int))dlsym(RTLD_NEXT, "sync_file_range"))(fd, start, size, flags);
}
