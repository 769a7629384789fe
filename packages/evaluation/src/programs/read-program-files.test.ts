import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { readProgramFiles } from "./read-program-files.ts"

it(
  "files of programs are read only below the folder of the evaluation file, as texts of at most 1 MiB",
  verifies("run.tool-programs"),
  async () => {
    const above = mkdtempSync(join(tmpdir(), "program-files-"))
    onTestFinished(() => rmSync(above, { recursive: true }))
    const folder = join(above, "evals")
    mkdirSync(join(folder, "tools"), { recursive: true })
    writeFileSync(join(above, "key"), "secret")
    writeFileSync(join(folder, "tools/a.py"), "ü")
    writeFileSync(join(folder, "binary"), Buffer.from([0xff, 0xfe]))
    writeFileSync(join(folder, "large"), "x".repeat(1024 * 1024))
    symlinkSync("../key", join(folder, "link"))
    symlinkSync("a.py", join(folder, "tools/b.py"))
    const read = (...paths: readonly string[]) => readProgramFiles(paths, folder)
    expect(Object.fromEntries(await read("./tools/a.py", "tools/b.py"))).toEqual({
      "./tools/a.py": "ü",
      "tools/b.py": "ü",
    })
    mkdirSync(join(folder, "tools/lib"))
    mkdirSync(join(folder, "empty"))
    writeFileSync(join(folder, "tools/lib/c.py"), "1")
    writeFileSync(join(folder, "tools/.env"), "secret")
    expect([...(await read("./tools/")).keys()]).toEqual(["./tools/a.py", "./tools/b.py", "./tools/lib/c.py"])
    await expect(read("../")).rejects.toThrow("folder '../' of a program is outside of the folder")
    await expect(read("./none/")).rejects.toThrow("does not exist beside the evaluation file")
    await expect(read("./empty/")).rejects.toThrow("has no files")
    for (let file = 0; file <= 100; file += 1) writeFileSync(join(folder, "empty", `${file}`), "")
    await expect(read("./empty/")).rejects.toThrow("has more than 100 files")
    await expect(read("../key")).rejects.toThrow("'../key' of a program is outside of the folder")
    await expect(read(join(above, "key"))).rejects.toThrow("is outside of the folder")
    await expect(read("link")).rejects.toThrow("'link' of a program is outside of the folder")
    writeFileSync(
      join(folder, "pointer.txt"),
      `version https://git-lfs.github.com/spec/v1\noid sha256:${"ab".repeat(32)}\nsize 12\n`,
    )
    await expect(read("pointer.txt")).rejects.toThrow("git lfs pull")
    mkdirSync(join(folder, ".git"))
    writeFileSync(join(folder, ".git/config"), "token")
    await expect(read(".git/config")).rejects.toThrow("is hidden")
    await expect(read("tools")).rejects.toThrow("is not a file")
    await expect(read("binary")).rejects.toThrow("is not a text in UTF-8")
    await expect(read("large", "tools/a.py")).rejects.toThrow("larger than 1 MiB")
    await expect(read("gone.py")).rejects.toMatchObject({ code: "not_found" })
  },
)
