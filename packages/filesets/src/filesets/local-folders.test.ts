import { mkdir, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry, type Registry } from "../testing/test-registry.ts"

describe.each(DATABASE_KINDS)("local folders of users on %s", (kind) => {
  let test: TestRegistry
  beforeEach(async () => {
    test = await createTestRegistry(kind)
    for (const name of ["team-a", "team-b"]) await test.registry.workspaces.create({ name })
  })
  afterEach(() => test.remove())

  let count = 0
  const inFolder = (path: string) => join(test.folder, path)
  const create = (workspace: string, path: string, registry: Registry = test.registry) =>
    registry
      .as(() => true)
      .filesets.create(workspace, {
        name: `fileset-${++count}`,
        storage: { type: "local", path: inFolder(path) },
      })
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => "created",
      (error: { code?: unknown }) => error.code,
    )
  const openRoots = async (...roots: readonly (readonly [path: string, ...workspaces: string[]])[]) =>
    test.openAnother({
      allowedLocalRoots: roots.map(([path, ...workspaces]) => ({
        path: inFolder(path),
        ...(workspaces.length === 0 ? {} : { workspaces }),
      })),
    })

  describe("below a root that names workspaces", () => {
    it("are allowed for these workspaces only", verifies("storage.local.root-workspaces"), async () => {
      const registry = await openRoots(["roots/a", "team-a"], ["roots/both", "team-a", "team-b"], ["roots/all"])
      const outcomes: Record<string, unknown> = {}
      for (const workspace of ["team-a", "team-b", "default"]) {
        for (const root of ["a", "both", "all"]) {
          outcomes[`${workspace} in ${root}`] = await codeOf(create(workspace, `roots/${root}/${workspace}`, registry))
        }
      }
      expect(outcomes).toEqual({
        "team-a in a": "created",
        "team-a in both": "created",
        "team-a in all": "created",
        "team-b in a": "storage_not_allowed",
        "team-b in both": "created",
        "team-b in all": "created",
        "default in a": "storage_not_allowed",
        "default in both": "storage_not_allowed",
        "default in all": "created",
      })
    })

    it(
      "are allowed for these workspaces only, even if another root contains it or a link leads to it",
      verifies("storage.local.root-workspaces"),
      async () => {
        const registry = await openRoots(["roots"], ["roots/a", "team-a"])
        await mkdir(inFolder("roots/a"), { recursive: true })
        await symlink(inFolder("roots/a"), inFolder("roots/link"))
        for (const path of ["roots/a/x", "roots/a", "roots", "roots/link/x"]) {
          expect(await codeOf(create("team-b", path, registry)), path).toBe("storage_not_allowed")
        }
        expect(await codeOf(create("team-b", "roots/b", registry))).toBe("created")
        expect(await codeOf(create("team-a", "roots/a/x", registry))).toBe("created")
      },
    )

    it("are refused without naming the roots of others", verifies("storage.local.root-workspaces"), async () => {
      const registry = await openRoots(["roots/secret-name", "team-a"], ["roots/mine", "team-b"])
      await expect(create("team-b", "elsewhere", registry)).rejects.toThrow(
        expect.objectContaining({ message: expect.not.stringContaining("secret-name") }),
      )
    })

    it(
      "are refused outside of the roots with the same error, whether or not they exist",
      verifies("storage.local.root-workspaces"),
      async () => {
        const registry = await openRoots(["roots/mine", "team-b"])
        await mkdir(inFolder("secret"))
        await writeFile(inFolder("secret/file"), "")
        await symlink("loop", inFolder("secret/loop"))
        const paths = ["secret/none", "secret/file/below", "secret/loop"]
        for (const path of paths) {
          await expect(create("team-b", path, registry)).rejects.toThrow("it must be below one of")
        }
      },
    )
  })

  describe("of a fileset", () => {
    it(
      "neither contain a folder of another workspace's fileset nor are in one",
      verifies("storage.local.apart"),
      async () => {
        await create("team-a", "allowed/a/models")
        for (const path of ["allowed/a/models", "allowed/a/models/x", "allowed/a", "allowed"]) {
          expect(await codeOf(create("team-b", path)), path).toBe("storage_not_allowed")
        }
        for (const path of ["allowed/a/models-2", "allowed/b"])
          expect(await codeOf(create("team-b", path))).toBe("created")
      },
    )

    it("may be shared and nested within one workspace", async () => {
      await create("team-a", "allowed/a/models")
      for (const path of ["allowed/a/models", "allowed/a/models/x", "allowed/a"]) {
        expect(await codeOf(create("team-a", path))).toBe("created")
      }
    })

    it("are free for others after the fileset was removed", verifies("storage.local.apart"), async () => {
      const { name } = await create("team-a", "allowed/a")
      await test.registry.filesets.remove("team-a", name)
      expect(await codeOf(create("team-b", "allowed/a"))).toBe("created")
    })

    it(
      "are compared by their real paths, through symbolic links on both sides",
      verifies("storage.local.apart"),
      async () => {
        await mkdir(inFolder("allowed/real"), { recursive: true })
        await symlink(inFolder("allowed/real"), inFolder("allowed/link"))
        await create("team-a", "allowed/real/a")
        expect(await codeOf(create("team-b", "allowed/link/a"))).toBe("storage_not_allowed")
        // A folder that was missing when its fileset was made, and is a symbolic link now.
        await create("team-a", "allowed/late")
        await mkdir(inFolder("allowed/target"))
        await symlink(inFolder("allowed/target"), inFolder("allowed/late"))
        expect(await codeOf(create("team-b", "allowed/target/x"))).toBe("storage_not_allowed")
      },
    )

    it(
      "are given to only one of two workspaces that request them at the same time",
      verifies("storage.local.apart"),
      async () => {
        const other = await test.openAnother()
        for (let round = 0; round < 10; round++) {
          const outcomes = await Promise.all([
            codeOf(create("team-a", `allowed/${round}`)),
            codeOf(create("team-b", `allowed/${round}/inner`, kind === "sqlite" ? test.registry : other)),
          ])
          expect(new Set(outcomes)).toEqual(new Set(["created", "storage_not_allowed"]))
        }
      },
    )

    it("are not the server's own folders", verifies("storage.local.apart"), async () => {
      const registry = await test.openAnother({
        allowedLocalRoots: [{ path: test.folder }],
        reservedFolders: [inFolder("data")],
      })
      for (const path of ["data", "data/uploads", ".", "storage/filesets/default"]) {
        expect(await codeOf(create("team-a", path, registry)), path).toBe("storage_not_allowed")
      }
    })
  })
})
