/** The files of a run in its folder. */
export const FILES = { driver: "driver.py", program: "program.py", mark: "mark" } as const

/** The word before the mark in the line that says that the program begins. */
export const BEGIN = "begin"

/** Limits of each process, which the kernel enforces at once. */
export interface DriverLimits {
  /** Bytes of address space. */
  readonly memory: number
  /** Bytes of one file. */
  readonly file: number
}

/**
 * Returns the Python program that executes another one. It writes the mark of the run before it and, if it came to its end, after it. A
 * program that exits early, as with `os._exit(0)`, writes no mark. The names of the program are its own, and `__name__` is not `__main__`, as in the
 * evaluation code of HumanEval.
 */
export function driverSource({ memory, file }: DriverLimits): string {
  return `import os, resource

def main():
    out = os.dup(1)
    with open("${FILES.mark}") as opened:
        mark = opened.read()
    os.unlink("${FILES.mark}")
    with open("${FILES.program}", encoding="utf-8") as opened:
        source = opened.read()
    limits = (resource.RLIMIT_AS, ${memory}), (resource.RLIMIT_FSIZE, ${file}), (resource.RLIMIT_CORE, 0)
    for name, amount in limits:
        resource.setrlimit(name, (amount, amount))
    os.write(out, ("${BEGIN} " + mark + "\\n").encode())
    exec(compile(source, "${FILES.program}", "exec"), {})
    os.write(out, ("\\n" + mark + "\\n").encode())
    os._exit(0)

main()
`
}
