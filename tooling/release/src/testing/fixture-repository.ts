import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Manifest } from "../manifest.ts"
import type { RunCommand } from "../run-command.ts"

/** Returns a package as it is in the repository: with sources, a test, and an entry for tests of other packages. */
function fixtureManifest(short: string, rest: Partial<Manifest> = {}): Manifest {
  return {
    name: `@fixture/${short}`,
    version: "1.2.0",
    license: "Apache-2.0",
    keywords: ["fixture"],
    repository: { type: "git", url: "git+https://example.com/fixture.git", directory: `packages/${short}` },
    files: ["dist"],
    publishConfig: { access: "public" },
    scripts: { test: "vitest run" },
    exports: {
      ".": { source: "./src/index.ts", types: "./dist/index.d.ts", default: "./dist/index.js" },
      "./testing": { source: "./src/testing/index.ts" },
      "./package.json": "./package.json",
    },
    imports: { "#source": "./src/index.ts" },
    devDependencies: { vitest: "1.0.0" },
    ...rest,
  }
}

/** Writes a repository of two packages, `needed` and `caller`, which depends on it, and commits it. */
export async function createFixtureRepository(root: string, run: RunCommand): Promise<void> {
  const caller = {
    ...fixtureManifest("caller", { dependencies: { "@fixture/needed": "workspace:*" } }),
    type: "module",
  }
  writeFixture(root, {
    ".gitignore": "dist/\nnode_modules/\n*.tgz\n.npmrc\n",
    "CHANGELOG.md": "# Changelog\n\n## 1.2.0\n\n- Second.\n\n## 1.1.0\n\n- First.\n",
    LICENSE: "A license.\n",
    "package.json": JSON.stringify({ name: "fixture", private: true, license: "Apache-2.0" }),
    "pnpm-workspace.yaml": "packages:\n  - packages/*\n",
    "packages/caller/package.json": JSON.stringify(caller),
    "packages/needed/package.json": JSON.stringify({ ...fixtureManifest("needed"), type: "module" }),
  })
  for (const short of ["caller", "needed"]) {
    writeFixture(join(root, "packages", short), {
      "README.md": `# @fixture/${short}\n`,
      "src/index.ts": "export const one = 1\n",
      "src/index.test.ts": "",
      "src/testing/index.ts": "",
      "dist/index.js": "export const one = 1\n",
      "dist/index.d.ts": "export declare const one = 1\n",
    })
  }
  writeFixture(join(root, "packages/caller/dist"), { "index.js": 'export { one } from "@fixture/needed"\n' })
  mkdirSync(join(root, "packages/caller/node_modules/@fixture"), { recursive: true })
  symlinkSync(join(root, "packages/needed"), join(root, "packages/caller/node_modules/@fixture/needed"))
  await run("git", ["init", "--quiet"], root)
  await commitFixture(root, run)
}

/** Commits every change. */
export async function commitFixture(root: string, run: RunCommand): Promise<void> {
  await run("git", ["add", "--all"], root)
  const author = ["-c", "user.name=Fixture", "-c", "user.email=fixture@example.com"]
  await run("git", [...author, "commit", "--quiet", "--message", "Change the fixture"], root)
}

/** Writes files below a folder, by their paths. */
export function writeFixture(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
