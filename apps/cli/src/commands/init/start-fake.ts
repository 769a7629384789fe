import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { createInterface } from "node:readline"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { fakeEndpointProgram } from "../server/fake-endpoint.ts"
import { probeModel } from "@assay/inference"

/** The port of `assay fake-endpoint` if none is given. */
export const FAKE_PORT = 9000

/** The built-in endpoint without a model. */
export interface FakeEndpoint extends AsyncDisposable {
  readonly url: string
  /** Whether this command started it, and ends it. */
  readonly isOwn: boolean
}

/** Returns the address of the fake endpoint at its usual port. */
export function fakeUrl(): string {
  return `http://127.0.0.1:${FAKE_PORT}/v1`
}

/**
 * Starts the fake endpoint at its usual port. If one runs there already, that one is used; if another program listens there, any free port is taken.
 * @throws `bad_settings` if it can't be started
 */
export async function startFake(context: Context): Promise<FakeEndpoint> {
  const usual = await spawnFake(context, FAKE_PORT)
  if (usual !== undefined) return usual
  const { fault } = await probeModel(context, { url: fakeUrl(), name: "echo" })
  if (fault === undefined) return { url: fakeUrl(), isOwn: false, [Symbol.asyncDispose]: () => Promise.resolve() }
  const other = await spawnFake(context, 0)
  if (other !== undefined) return other
  throw new AssayError("bad_settings", "The fake endpoint can't be started: run `assay fake-endpoint` to see why.")
}

/** Starts the fake endpoint at a port. Returns undefined if it ends before it listens, as it does if the port is in use. */
async function spawnFake({ env, signal }: Context, port: number): Promise<FakeEndpoint | undefined> {
  const child = spawn(process.execPath, [fakeEndpointProgram(), "--port", String(port)], {
    env,
    signal,
    stdio: ["ignore", "pipe", "ignore"],
  })
  // Ctrl-C ends the process, which the command reports itself.
  child.on("error", () => undefined)
  const lines = createInterface({ input: child.stdout })
  const ended = once(child, "close").then(() => undefined)
  const [first]: unknown[] = (await Promise.race([once(lines, "line"), ended])) ?? []
  const [url] = /http:\S+/.exec(String(first)) ?? []
  if (url === undefined) return undefined
  return { url, isOwn: true, [Symbol.asyncDispose]: () => endFake(child) }
}

async function endFake(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill("SIGTERM")
  await once(child, "close")
}
