import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { bundleProgram } from "./bundle-program.ts"

const FILES: Readonly<Record<string, string>> = {
  "app/package.json": JSON.stringify({ name: "app", type: "module", dependencies: { lib: "1.0.0", third: "2.0.0" } }),
  "app/dist/main.js": 'import { data } from "lib"\nimport { third } from "third"\nconsole.log(data(), third)\n',
  "lib/package.json": JSON.stringify({
    name: "lib",
    type: "module",
    bundle: { files: ["data.txt"], programs: ["dist/thread.js"] },
    exports: { ".": "./dist/index.js", "./package.json": "./package.json" },
  }),
  "lib/dist/index.js": 'export { data } from "./reading/data.js"\n',
  "lib/dist/reading/data.js":
    'import { readFileSync } from "node:fs"\nexport const data = () => readFileSync(new URL("../../data.txt", import.meta.url), "utf8")\n',
  "lib/dist/thread.js": 'import { data } from "./index.js"\nconsole.log("thread", data())\n',
  "lib/data.txt": "the data of lib",
  "app/node_modules/third/package.json": JSON.stringify({ name: "third", version: "2.0.0", license: "MIT" }),
  "app/node_modules/third/index.js": "exports.third = 3\n",
  "app/node_modules/third/LICENSE": "Copies keep this text.",
}

/** Writes a program that uses a package of ours and a library. Returns the program's folder. */
async function writeProgram(changes: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bundle-"))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [path, text] of Object.entries({ ...FILES, ...changes })) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await symlink(join(folder, "lib"), join(folder, "app/node_modules/lib"))
  return join(folder, "app")
}

const bundle = (app: string) =>
  bundleProgram({ entry: join(app, "dist/main.js"), output: join(app, "dist/bundle") }).then(() =>
    join(app, "dist/bundle"),
  )

describe("a bundled program", () => {
  it("needs no package: it contains its libraries, and the files that its packages read or start", async () => {
    const app = await writeProgram()
    const output = await bundle(app)
    const moved = join(app, "../moved")
    await rename(output, moved)
    for (const folder of ["node_modules", "../lib", "dist"]) await rm(join(app, folder), { recursive: true })
    const run = (path: string) => execFileSync(process.execPath, [join(moved, path)], { encoding: "utf8" })
    expect(run("main.js")).toBe("the data of lib 3\n")
    expect(run("files/lib/dist/thread.js")).toBe("thread the data of lib\n")
  })

  it("finds the files of a package that it names", async () => {
    const main =
      'import { createRequire } from "node:module"\nconsole.log(createRequire(import.meta.url).resolve("lib/package.json"))\n'
    const output = await bundle(await writeProgram({ "app/dist/main.js": main }))
    const printed = execFileSync(process.execPath, [join(output, "main.js")], { encoding: "utf8" })
    expect(printed).toBe(`${join(output, "files/lib/package.json")}\n`)
    expect(await readFile(join(output, "files/lib/data.txt"), "utf8")).toBe("the data of lib")
  })

  it("loads a module of a package without the other modules of its index", async () => {
    const files = {
      "app/package.json": JSON.stringify({ name: "app", type: "module", dependencies: { "@assay/lib": "1.0.0" } }),
      "@assay/lib/package.json": JSON.stringify({
        name: "@assay/lib",
        type: "module",
        exports: { ".": "./dist/index.js" },
      }),
      "@assay/lib/dist/index.js":
        'export { light as lamp } from "./more.js"\nexport { heavy } from "./heavy.js"\nexport { plain } from "./plain.js"\n',
      "@assay/lib/dist/plain.js": 'export const plain = "off"\n',
      "@assay/lib/dist/more.js": 'export { light } from "./light.js"\nexport { heavy } from "./heavy.js"\n',
      "@assay/lib/dist/light.js": 'export const light = "on"\n',
      "@assay/lib/dist/heavy.js": 'console.log("heavy is loaded")\nexport const heavy = 1\n',
      "app/dist/main.js": [
        'if (process.argv[2] === "heavy") console.log((await import("./heavy.js")).heavy)',
        'else if (process.argv[2] === "later") console.log(await (await import("./later.js")).later())',
        'else console.log((await import("./light.js")).light)',
      ].join("\n"),
      "app/dist/light.js": 'import { lamp } from "@assay/lib"\nexport const light = lamp\n',
      "app/dist/later.js":
        'export async function later() {\n  const { plain } = await import("@assay/lib")\n  return plain\n}\n',
      "app/dist/heavy.js":
        'import { heavy as weight, lamp } from "@assay/lib"\nexport const heavy = `${lamp} ${weight}`\n',
    }
    const app = await writeProgram(files)
    await mkdir(join(app, "node_modules/@assay"), { recursive: true })
    await symlink(join(app, "../@assay/lib"), join(app, "node_modules/@assay/lib"))
    const output = await bundle(app)
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [join(output, "main.js"), ...args], { encoding: "utf8" })
    expect(run()).toBe("on\n")
    expect(run("later")).toBe("off\n")
    expect(run("heavy")).toBe("heavy is loaded\non 1\n")
  })

  it("comes with the licenses of its libraries, and without files of an earlier build", async () => {
    const app = await writeProgram({ "app/dist/bundle/earlier.js": "" })
    const output = await bundle(app)
    expect(await readdir(output)).toEqual(["THIRD-PARTY-LICENSES.txt", "files", "main.js"])
    expect(await readFile(join(output, "THIRD-PARTY-LICENSES.txt"), "utf8")).toBe(
      "third 2.0.0 (MIT)\n\nCopies keep this text.",
    )
  })

  it("is not written if it would not find a module", async () => {
    await expect(
      bundle(await writeProgram({ "lib/dist/index.js": 'import "absent"\nexport const data = String\n' })),
    ).rejects.toThrow("absent")
  })

  it("is refused if it would wait for a part of itself that waits for it", async () => {
    const shared = 'export const shared = () => "shared"\n'
    const later = 'import { shared } from "./main.js"\nexport const later = () => shared()\n'
    const programOf = (end: string) => writeProgram({ "app/dist/main.js": shared + end, "app/dist/later.js": later })
    await expect(bundle(await programOf('console.log((await import("./later.js")).later())\n'))).rejects.toThrow(
      "main2.js waits at its top level, and these files need something from it: later.js",
    )
    const output = await bundle(await programOf('import("./later.js").then(({ later }) => console.log(later()))\n'))
    expect(execFileSync(process.execPath, [join(output, "main.js")], { encoding: "utf8" })).toBe("shared\n")
  })

  it("loads only the modules of Node that it imports, and not those behind their other exports", async () => {
    const main = [
      'import http, { request as ask } from "node:http"',
      'import * as path from "node:path"',
      'import { basename } from "path"',
      'const loaded = process.moduleLoadList.some((name) => name.includes("internal/deps/undici"))',
      "console.log(http.request === ask, path.basename === basename, loaded)",
    ]
    const output = await bundle(await writeProgram({ "app/dist/main.js": main.join("\n") }))
    const printed = execFileSync(process.execPath, [join(output, "main.js")], { encoding: "utf8" })
    expect(printed).toBe("true true false\n")
  })

  it("contains the agent of undici, and not the rest of it", async () => {
    const undici = "app/node_modules/undici"
    const files = {
      [`${undici}/package.json`]: JSON.stringify({ name: "undici", version: "8.0.0", license: "MIT" }),
      [`${undici}/index.js`]: "throw new Error('loaded as a whole')\n",
      [`${undici}/lib/api/index.js`]: "exports.request = () => 'requested'\n",
      [`${undici}/lib/dispatcher/dispatcher.js`]: "module.exports = class Dispatcher {}\n",
      [`${undici}/lib/dispatcher/agent.js`]:
        "const client = require('./client.js')\nmodule.exports = class Agent extends require('./dispatcher.js') { connect = client }\n",
      [`${undici}/lib/dispatcher/client.js`]:
        "const connectH2 = require('./client-h2.js')\nmodule.exports = (one) => connectH2(one)\n",
      [`${undici}/lib/dispatcher/client-h2.js`]: "const http2 = require('node:http2')\nmodule.exports = (one) => one\n",
      [`${undici}/lib/core/connect.js`]: "module.exports = () => 'connected'\n",
    }
    const main = [
      'const { Agent, buildConnector } = await import("undici")',
      'const hasHttp2 = () => process.moduleLoadList.includes("NativeModule http2")',
      "const agent = new Agent()",
      "console.log(agent.request(), buildConnector(), hasHttp2(), agent.connect(2), hasHttp2())",
    ].join("\n")
    const output = await bundle(await writeProgram({ ...files, "app/dist/main.js": main }))
    const printed = execFileSync(process.execPath, [join(output, "main.js")], { encoding: "utf8" })
    expect(printed).toBe("requested connected false 2 true\n")
    expect(await readFile(join(output, "THIRD-PARTY-LICENSES.txt"), "utf8")).toContain("undici 8.0.0")
    const more = 'import { fetch } from "undici"\nconsole.log(fetch)\n'
    await expect(bundle(await writeProgram({ ...files, "app/dist/main.js": more }))).rejects.toThrow("fetch")
  })
})
