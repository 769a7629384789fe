import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createRunCommand } from "./run-command.ts"
import { runRelease, type ReleaseOptions } from "./run-release.ts"
import { commitFixture, createFixtureRepository, writeFixture } from "./testing/fixture-repository.ts"
import { startFakeRegistry } from "./testing/start-fake-registry.ts"

const run = createRunCommand(process.env)
let folder: string
let root: string
let out: string

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "assay-release-")))
  root = join(folder, "repository")
  out = join(folder, "out")
  await createFixtureRepository(root, run)
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function release(rest: Partial<ReleaseOptions> = {}): Promise<readonly string[]> {
  const build = () => Promise.resolve([])
  return runRelease({ root, out, run, build, isDryRun: true, machineFolders: [root], log: () => {}, ...rest })
}

async function packedManifest(tarball: string): Promise<unknown> {
  const { stdout } = await run("tar", ["-xzOf", join(out, tarball), "package/package.json"], root)
  return JSON.parse(stdout)
}

describe("a dry run of a release", () => {
  it("packs every package with a manifest without sources, scripts and dependencies for development", async () => {
    expect(await release()).toEqual([])
    expect(readdirSync(out)).toEqual(["fixture-caller-1.2.0.tgz", "fixture-needed-1.2.0.tgz"])
    expect(await packedManifest("fixture-caller-1.2.0.tgz")).toEqual({
      name: "@fixture/caller",
      version: "1.2.0",
      type: "module",
      license: "Apache-2.0",
      keywords: ["fixture"],
      repository: { type: "git", url: "git+https://example.com/fixture.git", directory: "packages/caller" },
      files: ["dist", "THIRD-PARTY-LICENSES.txt"],
      publishConfig: { access: "public" },
      exports: {
        ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
        "./package.json": "./package.json",
      },
      dependencies: { "@fixture/needed": "1.2.0" },
    })
  })

  it("names the packages in the order in which a real run publishes them", async () => {
    const lines: string[] = []
    await release({ log: (line) => lines.push(line) })
    expect(lines.at(-1)).toBe("Nothing was published. A real run publishes: @fixture/needed, @fixture/caller.")
  })

  it("refuses changes that are not committed, pending changesets, and a version without a section, before it builds", async () => {
    writeFixture(root, {
      "CHANGELOG.md": "# Changelog\n\n## 1.3.0\n\n- Third.\n",
      ".changeset/one.md": "---\n---\n\nOne.\n",
    })
    const build = () => Promise.reject(new Error("built"))
    expect(await release({ build })).toEqual([
      "2 files differ from the last commit, such as CHANGELOG.md, .changeset/; commit or remove them.",
      "1 changesets wait in .changeset; add them to CHANGELOG.md and run npx changeset version.",
      "@fixture/caller has version 1.2.0, and the newest section of CHANGELOG.md is 1.3.0; make them equal.",
      "@fixture/needed has version 1.2.0, and the newest section of CHANGELOG.md is 1.3.0; make them equal.",
    ])
  })

  it("refuses a manifest that lacks what a registry needs", async () => {
    writeFixture(root, { "packages/needed/package.json": '{"name": "@fixture/needed", "version": "1.2.0"}' })
    await commitFixture(root, run)
    const faults = await release()
    expect(faults).toHaveLength(6)
    expect(faults).toContain(
      "@fixture/needed: repository.directory is packages/needed, in packages/needed/package.json.",
    )
  })

  it("packs what the entries of a package reach, and refuses folders of this machine in it", async () => {
    writeFixture(join(root, "packages/needed/dist"), {
      "index.js": 'export { address, below } from "./address.js"\n',
      "index.test.js": "",
      "source.ts": "",
      "address.js": `export const below = (setup) => \`\${setup}${root}/x\`\nexport const address = "file://${root}/x"\n`,
      "map.json": JSON.stringify({ sources: [`${root}/packages/needed/src/index.ts`] }),
    })
    expect(await release()).toEqual([`@fixture/needed: dist/index.js names the folder file://${root} of this machine.`])
  })

  it("refuses a package that can't be bundled, and what publint finds", async () => {
    writeFixture(join(root, "packages/needed/dist"), { "index.js": 'export { two } from "./absent.js"\n' })
    rmSync(join(root, "packages/caller/dist/index.d.ts"))
    const faults = await release()
    expect(faults.join("\n")).toMatch(/@fixture\/needed can't be packed: .*absent/s)
    expect(faults.join("\n")).toMatch(/@fixture\/caller: .*dist\/index\.d\.ts.*does not exist/)
  })
})

describe("a release", () => {
  it("publishes packages after those that they need, stops at the first failure, and continues from there", async () => {
    await using registry = await startFakeRegistry()
    writeFixture(root, { ".npmrc": `//${registry.host}/:_authToken=fixture\nfetch-retries=0\n` })
    const address = `http://${registry.host}/`
    const toRegistry = createRunCommand({ ...process.env, npm_config_registry: address, pnpm_config_registry: address })
    registry.refused.add("@fixture/caller")
    const faults = await release({ isDryRun: false, run: toRegistry })
    expect([...registry.published.keys()]).toEqual(["@fixture/needed"])
    expect(faults.slice(1)).toEqual([
      "Published: @fixture/needed.",
      "Not published: @fixture/caller. Correct the cause, then run the command again with --from @fixture/caller.",
    ])
    registry.refused.clear()
    expect(await release({ isDryRun: false, run: toRegistry, from: "@fixture/caller" })).toEqual([])
    expect([...registry.published.keys()]).toEqual(["@fixture/needed", "@fixture/caller"])
    const { access, versions } = registry.published.get("@fixture/caller") ?? {}
    expect(access).toBe("public")
    expect(versions?.["1.2.0"]?.exports?.["."]).toEqual({ types: "./dist/index.d.ts", default: "./dist/index.js" })
  })
})
