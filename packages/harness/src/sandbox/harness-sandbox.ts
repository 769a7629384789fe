/** The path of a harness's folder in the sandbox. It is also its home folder. */
export const SANDBOX_WORK = "/harness"

/** The port on the sandbox's loopback device at which the target's endpoint is reached. */
export const SANDBOX_ENDPOINT_PORT = 8000

/** A command to run in a sandbox. Folders are absolute paths on this machine. */
export interface SandboxedRun {
  readonly command: readonly [string, ...string[]]
  /** The only path besides `temporary` that the command can write to. */
  readonly work: string
  /** The folder that is `/tmp` in the sandbox. */
  readonly temporary: string
  /** A folder of the caller in which the sandbox is put together. It contains `passwd` and `group`. */
  readonly setup: string
  /** The Unix socket of a proxy, which becomes reachable at `SANDBOX_ENDPOINT_PORT`. Absent: no network. */
  readonly endpointSocket?: string | undefined
}

/** Isolates a command from the machine that it runs on. */
export interface HarnessSandbox {
  /** The program that it is built with. */
  readonly kind: "bwrap" | "unshare"
  /** The user on this machine that the command runs as, if the sandbox changes it. Its folders must belong to that user. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined
  /** Default variables of the command. */
  readonly variables: Readonly<Record<string, string>>
  /**
   * Returns the command that starts `run` in the sandbox. It must be started without any variables, and with the text of
   * `handVariables` at its file descriptor 3: the programs that make the sandbox may run as root and would obey a user's `LD_PRELOAD`.
   */
  wrap(run: SandboxedRun): readonly [string, ...string[]]
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Formats variables as a shell script, which the sandbox evaluates after it is made. */
export function handVariables(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .filter(([name]) => NAME.test(name))
    .map(([name, value]) => `export ${name}=${quote(value)}\n`)
    .join("")
}

/** Quotes a text as one word of a shell command. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
