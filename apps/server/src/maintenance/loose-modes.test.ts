import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findLooseModes } from "@assay/backup"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { startTestServer } from "../testing/start-test-server.ts"

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "assay-modes-"))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

describe("a server's own files", () => {
  it(
    "are readable only for their owner when they are new, and no warning is logged",
    verifies("operating.loose-modes", "settings.data-dir"),
    async () => {
      await using server = await startTestServer({}, home)
      const modes = ["", "registry.db", "registry.db-wal", "registry.db-shm", "encryption-keys"]
      expect(await Promise.all(modes.map((name) => modeOf(join(home, "data", name))))).toEqual([
        "700",
        "600",
        "600",
        "600",
        "600",
      ])
      expect(server.log()).not.toContain("chmod")
    },
  )

  it(
    "are logged with a command if others can read or change them, and their modes are not changed",
    verifies("operating.loose-modes"),
    async () => {
      await (await startTestServer({}, home))[Symbol.asyncDispose]()
      const data = join(home, "data")
      const loose = [
        [data, 0o755, "700", "every user of this machine may read it"],
        [join(data, "registry.db"), 0o660, "600", "its group may change it"],
        [join(data, "encryption-keys"), 0o644, "600", "every user of this machine may read it"],
        [join(home, "tokens"), 0o666, "600", "every user of this machine may change it"],
      ] as const
      await writeFile(join(home, "tokens"), '{"tokens":[]}')
      for (const [path, mode] of loose) await chmod(path, mode)
      await using server = await startTestServer({ ASSAY_TOKENS_FILE: join(home, "tokens") }, home)
      const warnings = server
        .log()
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { path?: string; mode?: string; command?: string; msg: string })
        .filter(({ command }) => command !== undefined)
      for (const [path, mode, wanted, who] of loose) {
        expect(await modeOf(path)).toBe(mode.toString(8))
        expect(warnings).toContainEqual(
          expect.objectContaining({
            path,
            mode: `0${mode.toString(8)}`,
            command: `chmod ${wanted} ${path}`,
            msg: expect.stringContaining(who),
          }),
        )
      }
    },
  )

  it(
    "are reported if another user owns them, and missing files are skipped",
    verifies("operating.loose-modes"),
    async () => {
      const dataFolder = join(home, "it's data")
      const paths = { dataFolder, keysFile: join(home, "keys"), tokensFile: join(home, "tokens"), storageFolder: home }
      expect(findLooseModes({ ...paths, uid: undefined })).toEqual([])
      await mkdir(join(home, "real"), { mode: 0o700 })
      await symlink(join(home, "real"), dataFolder)
      await writeFile(paths.keysFile, "", { mode: 0o600 })
      await chmod(home, 0o750)
      const { uid } = await stat(home)
      expect(findLooseModes({ ...paths, uid })).toEqual([])
      expect(findLooseModes({ ...paths, uid: uid + 1 })).toEqual([
        expect.objectContaining({ path: dataFolder, command: `chown ${uid + 1} '${home}/it'\\''s data'` }),
        {
          path: paths.keysFile,
          mode: "0600",
          problem: `The file of encryption keys '${paths.keysFile}' belongs to user ${uid}, while the server runs as user ${uid + 1}.`,
          command: `chown ${uid + 1} ${paths.keysFile}`,
        },
        expect.objectContaining({ path: home, mode: "0750" }),
      ])
      await chmod(home, 0o757)
      expect(findLooseModes({ ...paths, uid })).toEqual([
        expect.objectContaining({ path: home, command: `chmod o-rwx ${home}` }),
      ])
    },
  )
})
