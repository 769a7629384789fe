import { spawn } from "node:child_process"
import { once } from "node:events"
import { createRequire } from "node:module"
import { dirname, join, resolve } from "node:path"
import process from "node:process"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"

export interface FakeEndpointOptions {
  readonly port?: number
  readonly key?: string
  readonly latency?: number
  readonly script?: string
}

/** Returns the program that serves completions without a model. */
export function fakeEndpointProgram(): string {
  return join(dirname(createRequire(import.meta.url).resolve("@assay/testkit/package.json")), "dist/inference/main.js")
}

/** Serves completions without a model until it is interrupted. The endpoint is a process of its own, which writes to the same terminal. */
export async function fakeEndpoint(
  context: Context,
  { script: file, ...options }: FakeEndpointOptions,
): Promise<ExitCode> {
  const { port, key, latency } = options
  const script = file === undefined ? undefined : resolve(context.cwd, file)
  const args = Object.entries({ port, key, latency, script }).flatMap(([name, value]) =>
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
