// Makes one kind of system call fail in the program that it is loaded into (LD_PRELOAD).
//
//   MEGADAPT_FAULT=CALL:N      the N-th CALL of the process fails, from 1
//   MEGADAPT_FAULT=CALL:N+     so do all later ones
//   MEGADAPT_FAULT_MARK=FILE   is created when a call fails; if it is missing, N was too high
//
// CALL is write, fsync, rename, close, open, read, mmap or alloc.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static char chosen[16];
static long first;
static int forever;
static const char* mark;
static atomic_long count;

static void read_settings(void) {
  const char* text = getenv("MEGADAPT_FAULT");
  const char* colon = text ? strchr(text, ':') : NULL;
  if (!colon || (size_t)(colon - text) >= sizeof chosen) return;
  memcpy(chosen, text, (size_t)(colon - text));
  char* end;
  first = strtol(colon + 1, &end, 10);
  forever = *end == '+';
  mark = getenv("MEGADAPT_FAULT_MARK");
}

__attribute__((constructor)) static void start(void) { read_settings(); }

// Calls are counted from the start of main(): code that runs earlier cannot report
// anything.
static atomic_int in_main;
static int (*real_main)(int, char**, char**);

static int counted_main(int argc, char** argv, char** environment) {
  atomic_store(&in_main, 1);
  return real_main(argc, argv, environment);
}

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv,
                      void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
                      void* stack_end) {
  __typeof__(&__libc_start_main) real =
      (__typeof__(&__libc_start_main))dlsym(RTLD_NEXT, "__libc_start_main");
  real_main = main;
  return real(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

// Returns whether this call must fail.
static int fails(const char* call) {
  if (first == 0 || !atomic_load(&in_main) || strcmp(call, chosen) != 0) return 0;
  const long number = atomic_fetch_add(&count, 1) + 1;
  if (number != first && !(forever && number > first)) return 0;
  if (mark) {
    const long file = syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT, 0600);
    if (file >= 0) syscall(SYS_close, file);
  }
  return 1;
}

#define REAL(name)               \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

// Returns whether this is an event counter, by which threads wake each other. Writing to one
// does not fail on a real system.
static int is_counter(int file) {
  struct stat status;
  return fstat(file, &status) == 0 && (status.st_mode & S_IFMT) == 0;
}

ssize_t write(int file, const void* data, size_t size) {
  REAL(write);
  if (is_counter(file) || !fails("write")) return real(file, data, size);
  errno = ENOSPC;
  return -1;
}

ssize_t read(int file, void* data, size_t size) {
  REAL(read);
  if (!fails("read")) return real(file, data, size);
  errno = EIO;
  return -1;
}

int fsync(int file) {
  REAL(fsync);
  if (!fails("fsync")) return real(file);
  errno = EIO;
  return -1;
}

int close(int file) {
  REAL(close);
  const int failing = fails("close");
  const int result = real(file);
  if (!failing) return result;
  errno = EIO;
  return -1;
}

int rename(const char* from, const char* to) {
  REAL(rename);
  if (!fails("rename")) return real(from, to);
  errno = EIO;
  return -1;
}

#define OPEN_BODY(name)                               \
  REAL(name);                                         \
  va_list list;                                       \
  va_start(list, flags);                              \
  const mode_t mode = va_arg(list, mode_t);           \
  va_end(list);                                       \
  if (!fails("open")) return real(path, flags, mode); \
  errno = EMFILE;                                     \
  return -1

int open(const char* path, int flags, ...) { OPEN_BODY(open); }
int open64(const char* path, int flags, ...) { OPEN_BODY(open64); }

void* mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) {
  REAL(mmap);
  if (!fails("mmap")) return real(at, size, protection, flags, file, offset);
  errno = ENOMEM;
  return MAP_FAILED;
}

// The names of the functions in glibc itself: dlsym() cannot be used, because it allocates.
extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t number, size_t size);
extern void* __libc_realloc(void* old, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

static void* no_memory(void) {
  errno = ENOMEM;
  return NULL;
}

void* malloc(size_t size) { return fails("alloc") ? no_memory() : __libc_malloc(size); }
void* calloc(size_t number, size_t size) {
  return fails("alloc") ? no_memory() : __libc_calloc(number, size);
}
void* realloc(void* old, size_t size) {
  return fails("alloc") ? no_memory() : __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return fails("alloc") ? no_memory() : __libc_memalign(alignment, size);
}
