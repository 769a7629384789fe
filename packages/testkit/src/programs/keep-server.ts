import { spawn } from "node:child_process"
import { createInterface } from "node:readline"

/** A server that ends with this process. */
export interface KeptServer {
  /** Rejects with the output of the server when it ends. */
  readonly ended: Promise<never>
  /** Ends the server, and waits until its data is removed. */
  stop(): Promise<void>
}

export interface KeptProgram {
  readonly command: readonly [program: string, ...args: string[]]
  /** Removed after the server has ended. Its parent is removed with the last server. */
  readonly folder: string
  readonly user: { readonly uid?: number; readonly gid?: number }
  /** Variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Ends the server and removes its data when our end of the pipe is closed. A killed test runner therefore leaves nothing behind. The
 * shell gives an asynchronous command /dev/null as its input, so the pipe gets a second descriptor. The shell writes nothing, because
 * writing to a closed pipe would end it.
 */
const KEEPER = `trap '' HUP INT TERM
folder=$1; shift
exec 3<&0
"$@" 3<&- >&2 &
server=$!
exec >/dev/null 2>&1
{ cat <&3; kill -KILL $server; } &
wait $server
rm -rf "$folder"
all=\${folder%/*}
rmdir "$all" && rm -rf "\${all%/*}"`

/** Starts a program with its data in `<all>/servers/<one>`. */
export function keepServer({ command, folder, user, env = {} }: KeptProgram): KeptServer {
  const keeper = spawn("sh", ["-c", KEEPER, "sh", folder, ...command], {
    ...user,
    env: { ...process.env, ...env },
    cwd: "/",
    stdio: ["pipe", "ignore", "pipe"],
  })
  const said: string[] = []
  createInterface({ input: keeper.stderr }).on("line", (line) => said.push(line))
  const exited = new Promise<void>((resolve, reject) => {
    keeper.once("error", reject).once("close", () => resolve())
  })
  const ended = exited.then((): never => {
    throw new Error(`${command[0]} ended: ${said.slice(-20).join("\n") || "it said nothing"}`)
  })
  // Only callers that wait for it see the rejection. Otherwise the end was intended.
  ended.catch(() => {})
  return {
    ended,
    async stop() {
      keeper.stdin.end()
      await exited
    },
  }
}
