import { spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { startFakeObjstore } from "@assay/testkit"
import { describe, expect, it } from "vitest"

/** Runs a program of this folder as its reader would, and returns what it prints. */
async function run(name: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const file = fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url))
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")])
  expect({ code, errors }).toEqual({ code: 0, errors: "" })
  return out
}

describe("the example programs", () => {
  it("read-verdict prints a verdict, or why there is none", async () => {
    expect(await run("read-verdict")).toBe(
      'safe: {"User Safety": "safe"}\nunreadable (no_verdict): I think this is fine.\n',
    )
    expect(await run("read-verdict", ["Safety: Unsafe\nCategories: Violent"])).toMatch(/^unsafe: /)
  })

  it("score-texts prints both means and their difference, each with an interval", async () => {
    expect(await run("score-texts")).toMatch(
      /^model a: mean F1 0\.83, 95 % interval .*\nmodel b: mean F1 0\.67, .*\nb - a: -0\.17, 95 % interval -0\.64 to 0\.33, p = 0\.44\n$/,
    )
  })

  it("read-s3 lists a bucket and prints the first 16 bytes of a file", async () => {
    const [accessKeyId, secretAccessKey] = ["reader", "key-of-the-reader"]
    const store = await startFakeObjstore({ accessKeyId, secretAccessKey })
    const keys = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey }
    try {
      store.write("data/a.txt", "hello from an object store")
      expect(await run("read-s3", ["files", "data/a.txt", store.endpoint], keys)).toBe(
        "data/a.txt  26 bytes\nhello from an ob\n",
      )
    } finally {
      await store.close()
    }
  })
})
