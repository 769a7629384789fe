import { spawn } from "node:child_process"
import { once } from "node:events"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import process from "node:process"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"

export interface FakeEndpointOptions {
  readonly port?: number
  readonly key?: string
  readonly latency?: number
}

/** Returns the program that serves completions without a model. */
export function fakeEndpointProgram(): string {
  return join(dirname(createRequire(import.meta.url).resolve("@assay/testkit/package.json")), "dist/inference/main.js")
}

/** Serves completions without a model until it is interrupted. The endpoint is a process of its own, which writes to the same terminal. */
export async function fakeEndpoint(context: Context, { port, key, latency }: FakeEndpointOptions): Promise<ExitCode> {
  const args = Object.entries({ port, key, latency }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, String(value)],
  )
  const child = spawn(process.execPath, [fakeEndpointProgram(), ...args], {
    env: context.env,
    stdio: ["ignore", "inherit", "inherit"],
  })
  const stop = () => child.kill("SIGTERM")
  context.signal.addEventListener("abort", stop)
  try {
    const [code]: unknown[] = await once(child, "close")
    return code === 0 || context.signal.aborted ? EXIT.done : EXIT.fixable
  } finally {
    context.signal.removeEventListener("abort", stop)
  }
}
