import { spawn } from "node:child_process"
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { once } from "node:events"
import { expect, it, onTestFinished } from "vitest"

/** Starts one program per folder. Each creates a file that is named after its process. */
const LAUNCHER = `
  import { readdir } from "node:fs/promises"
  import { keepServer } from ${JSON.stringify(new URL("keep-server.ts", import.meta.url).href)}
  const [pids, ...folders] = process.argv.slice(1)
  for (const folder of folders)
    keepServer({ command: ["sh", "-c", 'touch "$0/$$"; exec sleep 600', pids], folder, user: {} })
  while ((await readdir(pids)).length < folders.length) await new Promise((resolve) => setTimeout(resolve, 10))
  console.log("started")
  setInterval(() => {}, 1000)`

it("ends several servers and removes all their folders when the process that started them is killed", async () => {
  const dir = await mkdtemp(join(tmpdir(), "assay-keeper-"))
  onTestFinished(() => rm(dir, { recursive: true }))
  const pids = join(dir, "pids")
  await mkdir(pids)
  const folders = ["a", "b", "c"].map((name) => join(dir, "all", "servers", name))
  for (const folder of folders) await mkdir(join(folder, "data"), { recursive: true })
  const launcher = spawn(process.execPath, ["--input-type=module", "--eval", LAUNCHER, pids, ...folders], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  await once(launcher.stdout, "data")
  const started = (await readdir(pids)).map(Number)
  expect(started).toHaveLength(3)
  for (const pid of started) expect(process.kill(pid, 0)).toBe(true)
  launcher.kill("SIGKILL")
  await expect.poll(() => readdir(dir), { timeout: 10_000 }).toEqual(["pids"])
  for (const pid of started) expect(() => process.kill(pid, 0)).toThrow("ESRCH")
})
