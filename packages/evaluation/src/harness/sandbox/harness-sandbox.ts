/** Where a harness finds its folder in the sandbox, which is its home as well. */
export const SANDBOX_WORK = "/harness"

/** The port of the sandbox's own loopback device on which the target's endpoint is reached. */
export const SANDBOX_ENDPOINT_PORT = 8000

/** A command that is to run in a sandbox. Folders are absolute, and on this machine. */
export interface SandboxedRun {
  readonly command: readonly [string, ...string[]]
  /** The only place besides `temporary` that the command can write to. */
  readonly work: string
  /** Is `/tmp` in the sandbox. */
  readonly temporary: string
  /** An empty folder of the caller's in which the sandbox is put together, with `passwd` and `group` in it afterwards. */
  readonly setup: string
  /** The Unix socket of a proxy, in a folder of its own, which becomes reachable at `SANDBOX_ENDPOINT_PORT`. Absent: no network. */
  readonly endpointSocket?: string
}

/** Keeps a command apart from the machine that it runs on. */
export interface HarnessSandbox {
  /** The program that it is built with. */
  readonly kind: "bwrap" | "unshare"
  /** The user on this machine that the command runs as, where the sandbox changes it. Its folders must belong to that user. */
  readonly owner?: { readonly uid: number; readonly gid: number }
  /** Variables that the command gets where nobody gives others. */
  readonly variables: Readonly<Record<string, string>>
  /**
   * The command that starts `run` in the sandbox. It is started without any variable and with `handVariables` at its file
   * descriptor 3: the programs that make the sandbox may run as root, and would heed a `LD_PRELOAD` of the user's.
   */
  wrap(run: SandboxedRun): readonly [string, ...string[]]
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Variables as a sandbox takes them over once it is made. */
export function handVariables(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .filter(([name]) => NAME.test(name))
    .map(([name, value]) => `export ${name}=${quote(value)}\n`)
    .join("")
}

/** One word of the shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
