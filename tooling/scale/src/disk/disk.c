/*
 * Stands between a program and the C library, for calls on files below one folder. It lets chosen calls fail, and it writes
 * a log of all calls that change the disk. Built when a run begins:
 *
 *   cc -shared -fPIC -O2 -o disk.so disk.c -ldl
 *   LD_PRELOAD=disk.so DISK_ROOT=/folder DISK_CONTROL=/file [DISK_LOG=/file] program
 *
 * DISK_CONTROL is a file of 64 bytes that both sides map: see `struct control`.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#undef O_TMPFILE
#define O_TMPFILE 020200000

enum kind { OPEN, CREATE, READ, WRITE, SYNC, RENAME, LINK, UNLINK, MKDIR, RMDIR, TRUNCATE, TIMES };
static const char *const NAMES[] = {"open",   "create", "read",  "write", "sync",     "rename",
                                    "link",   "unlink", "mkdir", "rmdir", "truncate", "times"};

struct control {
  uint32_t kinds;    /* bit of each kind that fails; 0: none */
  uint32_t error;    /* errno */
  uint32_t first;    /* number of the first call that fails, from 1 */
  uint32_t last;     /* number of the last call that fails */
  uint32_t seen;     /* number of calls of these kinds since `kinds` was set */
  uint32_t failed;   /* number of calls that failed */
  uint32_t position; /* number of entries in the log */
};

static struct control *control;
static char root[PATH_MAX];
static size_t root_length;
static int log_fd = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("DISK_ROOT"), *shared = getenv("DISK_CONTROL"), *log = getenv("DISK_LOG");
  if (folder == NULL || shared == NULL) return;
  snprintf(root, sizeof root, "%s/", folder);
  root_length = strlen(root);
  int fd = syscall(SYS_openat, AT_FDCWD, shared, O_RDWR | O_CLOEXEC, 0);
  if (fd < 0) return;
  void *memory = mmap(NULL, 64, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (log != NULL) log_fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
  if (memory != MAP_FAILED) control = memory;
}

/* Declares `real`, the function of the C library. */
#define REAL(name) \
  static __typeof__(name) *real; \
  if (real == NULL) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

/* Writes the absolute path of `path`, with links of /proc/self/fd resolved. */
static void resolve(int at, const char *path, char *out) {
  char folder[64], real[PATH_MAX];
  const char *rest = path;
  ssize_t length = 0;
  if (path[0] != '/' && at != AT_FDCWD) {
    snprintf(folder, sizeof folder, "/proc/self/fd/%d", at);
    length = readlink(folder, real, sizeof real - 1);
  } else if (strncmp(path, "/proc/self/fd/", 14) == 0) {
    rest = strchr(path + 14, '/');
    size_t size = rest == NULL ? strlen(path) : (size_t)(rest - path);
    if (size < sizeof folder) {
      memcpy(folder, path, size);
      folder[size] = 0;
      length = readlink(folder, real, sizeof real - 1);
    }
    if (rest == NULL) rest = "";
    else rest++;
  } else if (path[0] != '/') {
    if (getcwd(real, sizeof real) != NULL) length = strlen(real);
  }
  if (length <= 0) {
    snprintf(out, PATH_MAX, "%s", path);
    return;
  }
  real[length] = 0;
  snprintf(out, PATH_MAX, "%.*s%s%.*s", PATH_MAX / 2, real, *rest == 0 ? "" : "/", PATH_MAX / 2 - 2, rest);
}

static void path_of(int fd, char *out) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, out, PATH_MAX - 1);
  out[length < 0 ? 0 : length] = 0;
}

static int is_below(const char *path) {
  if (control == NULL) return 0;
  if (strncmp(path, root, root_length) != 0 && strncmp(path, root, root_length - 1) != 0) return 0;
  size_t length = strlen(path);
  return !(length > 4 && strcmp(path + length - 4, "-shm") == 0);
}

/* Returns whether this call has to fail. */
static int fails(enum kind kind) {
  if ((control->kinds & (1u << kind)) == 0) return 0;
  uint32_t number = __sync_add_and_fetch(&control->seen, 1);
  if (number < control->first || number > control->last) return 0;
  __sync_add_and_fetch(&control->failed, 1);
  errno = control->error;
  return 1;
}

static void append(const void *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t count = syscall(SYS_write, log_fd, (const char *)bytes + done, size - done);
    if (count <= 0) return;
    done += count;
  }
}

/*
 * Adds an entry: a line of kind, inode, offset, size, time of change and mark, a line for each path, and the bytes. The caller holds the lock.
 */
static void note(const char *kind, const struct stat *file, int64_t offset, int64_t size, int64_t mark, const char *path,
                 const char *other) {
  char text[2 * PATH_MAX + 256];
  int length =
      snprintf(text, sizeof text, "%s %llu %lld %lld %lld.%09ld %lld\n%s\n%s\n", kind, (unsigned long long)file->st_ino,
               (long long)offset, (long long)size, (long long)file->st_mtim.tv_sec, file->st_mtim.tv_nsec, (long long)mark,
               path, other);
  append(text, length);
  control->position++;
}

#define LOGGED (log_fd >= 0)

static int opened(int fd, const char *path, int flags, int existed) {
  if (fd < 0 || !LOGGED) return fd;
  struct stat file;
  if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) return fd;
  if ((flags & O_CREAT) != 0 && !existed) note("create", &file, 0, 0, 0, path, "");
  else if ((flags & O_TRUNC) != 0) note("truncate", &file, 0, 0, 0, path, "");
  return fd;
}

static int open_at(int at, const char *path, int flags, mode_t mode) {
  REAL(openat64);
  char full[PATH_MAX];
  if (control == NULL) return real(at, path, flags, mode);
  resolve(at, path, full);
  if (!is_below(full)) return real(at, path, flags, mode);
  int creates = (flags & O_CREAT) != 0;
  pthread_mutex_lock(&lock);
  int existed = creates && faccessat(at, path, F_OK, 0) == 0;
  int fd = fails(creates && !existed ? CREATE : OPEN) ? -1 : real(at, path, flags, mode);
  int kept = errno;
  opened(fd, full, flags, existed);
  errno = kept;
  pthread_mutex_unlock(&lock);
  return fd;
}

static mode_t mode_of(int flags, va_list args) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(args, mode_t) : 0;
}

#define OPENS(name) \
  int name(const char *path, int flags, ...) { \
    va_list args; \
    va_start(args, flags); \
    mode_t mode = mode_of(flags, args); \
    va_end(args); \
    return open_at(AT_FDCWD, path, flags, mode); \
  }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name) \
  int name(int at, const char *path, int flags, ...) { \
    va_list args; \
    va_start(args, flags); \
    mode_t mode = mode_of(flags, args); \
    va_end(args); \
    return open_at(at, path, flags, mode); \
  }
OPENS_AT(openat)
OPENS_AT(openat64)

/* Notes `count` bytes that were written at `offset`; -1: at the end of the file or at the position of the descriptor. */
static void wrote(int fd, const char *path, const struct iovec *parts, int number, int64_t offset, ssize_t count) {
  struct stat file;
  if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) return;
  if (offset < 0) offset = lseek(fd, 0, SEEK_CUR) - count;
  int flags = fcntl(fd, F_GETFL);
  note((flags & O_SYNC) == O_SYNC || (flags & O_DSYNC) != 0 ? "write-through" : "write", &file, offset, count, 0, path, "");
  ssize_t left = count;
  for (int i = 0; i < number && left > 0; i++) {
    ssize_t part = (ssize_t)parts[i].iov_len < left ? (ssize_t)parts[i].iov_len : left;
    append(parts[i].iov_base, part);
    left -= part;
  }
}

static ssize_t write_next(int fd, const struct iovec *parts, int number) {
  REAL(writev);
  return real(fd, parts, number);
}

static ssize_t write_parts(int fd, const struct iovec *parts, int number, int64_t offset) {
  REAL(pwritev64);
  char path[PATH_MAX] = "";
  if (control != NULL) path_of(fd, path);
  if (!is_below(path)) return offset < 0 ? write_next(fd, parts, number) : real(fd, parts, number, offset);
  pthread_mutex_lock(&lock);
  ssize_t count = fails(WRITE) ? -1 : offset < 0 ? write_next(fd, parts, number) : real(fd, parts, number, offset);
  int kept = errno;
  if (count > 0 && LOGGED) wrote(fd, path, parts, number, offset, count);
  errno = kept;
  pthread_mutex_unlock(&lock);
  return count;
}

static ssize_t write_one(int fd, const void *bytes, size_t size, int64_t offset) {
  struct iovec part = {(void *)bytes, size};
  return write_parts(fd, &part, 1, offset);
}
ssize_t write(int fd, const void *bytes, size_t size) { return write_one(fd, bytes, size, -1); }
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) { return write_one(fd, bytes, size, offset); }
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset) { return write_one(fd, bytes, size, offset); }
ssize_t writev(int fd, const struct iovec *parts, int number) { return write_parts(fd, parts, number, -1); }
ssize_t pwritev(int fd, const struct iovec *parts, int number, off_t at) { return write_parts(fd, parts, number, at); }
ssize_t pwritev64(int fd, const struct iovec *parts, int number, off64_t at) { return write_parts(fd, parts, number, at); }

static int read_fails(int fd) {
  if (control == NULL || (control->kinds & (1u << READ)) == 0) return 0;
  char path[PATH_MAX];
  path_of(fd, path);
  return is_below(path) && fails(READ);
}

#define READS(name, parameters, ...) \
  ssize_t name parameters { \
    REAL(name); \
    return read_fails(fd) ? -1 : real(__VA_ARGS__); \
  }
READS(read, (int fd, void *bytes, size_t size), fd, bytes, size)
READS(pread, (int fd, void *bytes, size_t size, off_t at), fd, bytes, size, at)
READS(pread64, (int fd, void *bytes, size_t size, off64_t at), fd, bytes, size, at)
READS(readv, (int fd, const struct iovec *parts, int number), fd, parts, number)
READS(preadv, (int fd, const struct iovec *parts, int number, off_t at), fd, parts, number, at)
READS(preadv64, (int fd, const struct iovec *parts, int number, off64_t at), fd, parts, number, at)

/*
 * Runs a sync between two entries. Only what was noted before the first one is on the disk after the second one.
 */
static int sync_with(int (*real)(int), int fd) {
  char path[PATH_MAX] = "";
  if (control != NULL) path_of(fd, path);
  if (!is_below(path)) return real(fd);
  int64_t mark = control->position;
  if (fails(SYNC)) return -1;
  int result = real(fd);
  int kept = errno;
  struct stat file;
  if (result == 0 && LOGGED && fstat(fd, &file) == 0) {
    pthread_mutex_lock(&lock);
    note(S_ISDIR(file.st_mode) ? "sync-folder" : "sync", &file, 0, 0, mark, path, "");
    pthread_mutex_unlock(&lock);
  }
  errno = kept;
  return result;
}

#define SYNCS(name) \
  int name(int fd) { \
    REAL(name); \
    return sync_with(real, fd); \
  }
SYNCS(fsync)
SYNCS(fdatasync)

/* Runs a call on one or two names under the lock and notes it. */
#define NAMES_CALL(kind, from_at, from, has_other, to_at, to, call) \
  char path[PATH_MAX], other[PATH_MAX] = ""; \
  if (control == NULL) return call; \
  resolve(from_at, from, path); \
  if (has_other) resolve(to_at, to, other); \
  if (!is_below(path) && !is_below(other)) return call; \
  pthread_mutex_lock(&lock); \
  struct stat file = {0}; \
  fstatat(from_at, from, &file, AT_SYMLINK_NOFOLLOW); \
  int result = fails(kind) ? -1 : call; \
  int kept = errno; \
  if (result == 0 && kind == MKDIR) fstatat(from_at, from, &file, AT_SYMLINK_NOFOLLOW); \
  if (result == 0 && LOGGED) note(NAMES[kind], &file, 0, 0, 0, path, other); \
  errno = kept; \
  pthread_mutex_unlock(&lock); \
  return result

int rename(const char *from, const char *to) {
  REAL(rename);
  NAMES_CALL(RENAME, AT_FDCWD, from, 1, AT_FDCWD, to, real(from, to));
}
int link(const char *from, const char *to) {
  REAL(link);
  NAMES_CALL(LINK, AT_FDCWD, from, 1, AT_FDCWD, to, real(from, to));
}
int unlink(const char *path_) {
  REAL(unlink);
  NAMES_CALL(UNLINK, AT_FDCWD, path_, 0, 0, "", real(path_));
}
int rmdir(const char *path_) {
  REAL(rmdir);
  NAMES_CALL(RMDIR, AT_FDCWD, path_, 0, 0, "", real(path_));
}
int mkdir(const char *path_, mode_t mode) {
  REAL(mkdir);
  NAMES_CALL(MKDIR, AT_FDCWD, path_, 0, 0, "", real(path_, mode));
}
int unlinkat(int at, const char *path_, int flags) {
  REAL(unlinkat);
  if ((flags & AT_REMOVEDIR) != 0) {
    NAMES_CALL(RMDIR, at, path_, 0, 0, "", real(at, path_, flags));
  }
  NAMES_CALL(UNLINK, at, path_, 0, 0, "", real(at, path_, flags));
}

static int truncate_fd(int fd, off64_t size) {
  REAL(ftruncate64);
  char path[PATH_MAX] = "";
  if (control != NULL) path_of(fd, path);
  if (!is_below(path)) return real(fd, size);
  pthread_mutex_lock(&lock);
  int result = fails(TRUNCATE) ? -1 : real(fd, size);
  int kept = errno;
  struct stat file;
  if (result == 0 && LOGGED && fstat(fd, &file) == 0) note("truncate", &file, size, 0, 0, path, "");
  errno = kept;
  pthread_mutex_unlock(&lock);
  return result;
}
int ftruncate(int fd, off_t size) { return truncate_fd(fd, size); }
int ftruncate64(int fd, off64_t size) { return truncate_fd(fd, size); }

int futimens(int fd, const struct timespec times[2]) {
  REAL(futimens);
  char path[PATH_MAX] = "";
  if (control != NULL) path_of(fd, path);
  if (!is_below(path)) return real(fd, times);
  pthread_mutex_lock(&lock);
  int result = fails(TIMES) ? -1 : real(fd, times);
  int kept = errno;
  struct stat file;
  if (result == 0 && LOGGED && fstat(fd, &file) == 0) note("times", &file, 0, 0, 0, path, "");
  errno = kept;
  pthread_mutex_unlock(&lock);
  return result;
}
