import { spawn } from "node:child_process"
import { once } from "node:events"
import { join, resolve } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import type { Answer } from "./faults/operation.ts"

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url))

/** The statuses that a server gives to errors of its disk. Every other error of a command counts as a fault of the program. */
const STATUSES: Readonly<Record<string, number>> = {
  disk_full: 507,
  local_file_failed: 503,
  unavailable: 503,
  upstream_failed: 502,
}

/** Runs the built command line to its end, and returns its exit as the answer of a server. Its output is JSON. */
export async function runAssay(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  checkout: string = ROOT,
): Promise<Answer> {
  const main = join(resolve(checkout), "apps/cli/dist/bundle/main.js")
  const child = spawn(process.execPath, [main, ...args, "--json"], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let text = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (text += String(part)))
  await once(child, "close")
  const json = parse(text)
  return { status: child.exitCode === 0 ? 200 : statusOf(json), text, json, headers: new Headers() }
}

function statusOf(json: unknown): number {
  const { code = "", message = "" } = (json as { readonly error?: { code?: string; message?: string } })?.error ?? {}
  // On a read-only file system, only another folder helps.
  if (code === "bad_settings" && message.includes("EROFS")) return 503
  return STATUSES[code] ?? 500
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
