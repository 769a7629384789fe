import { execFileSync } from "node:child_process"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"

/** Returns what bash completes for the words. The last word is being typed. */
async function complete(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await runCommand(["completion", "bash"])
  const typed = words.map((word) => `'${word}'`).join(" ")
  const script = `${stdout}\nassay() { [[ "$*" == "completion jobs" ]] && printf "eval-A\\neval-B\\n"; }\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _assay; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync("bash", ["-c", script], { encoding: "utf8" })
    .split("\n")
    .filter((word) => word !== "")
}

describe("assay completion", () => {
  it.each([
    [
      ["assay", "pu"],
      ["push", "pull"],
    ],
    [["assay", "fileset", "de"], ["delete"]],
    [["assay", "dataset", "in"], ["infer-schema"]],
    [
      ["assay", "eval", "re"],
      ["resume", "retry-failed", "results", "rescore"],
    ],
    [
      ["assay", "fileset", "list", "--page"],
      ["--page", "--page-size"],
    ],
    [["assay", "push", "--du"], []],
    [["assay", "push", "./folder", "default/x", "--dr"], ["--dry-run"]],
    [["assay", "completion", "z"], ["zsh"]],
    [
      ["assay", "eval", "status", ""],
      ["eval-A", "eval-B"],
    ],
    [["assay", "eval", "compare", "eval-A", "eval-B"], ["eval-B"]],
    [["assay", "eval", "status", "./re"], []],
    [["assay", "push", ""], []],
  ])("completes %j in bash with %j", verifies("cli.completion"), async (words, offered) =>
    expect(await complete(...words)).toEqual(offered),
  )

  it.each(["zsh", "fish"])("for %s contains every command", verifies("cli.completion"), async (shell) => {
    const { exitCode, stdout } = await runCommand(["completion", shell])
    expect(exitCode).toBe(0)
    for (const name of ["push", "serve", "fileset list", "token revoke"]) expect(stdout).toContain(name)
  })

  it("prints no jobs and no error if no server answers", async () => {
    const env = { ASSAY_URL: "http://127.0.0.1:9" }
    expect(await runCommand(["completion", "jobs"], { env })).toEqual({ exitCode: 0, stdout: "", stderr: "" })
  })

  it("refuses an unknown shell and lists the known ones", async () => {
    const { exitCode, stderr } = await runCommand(["completion", "tcsh"])
    expect(exitCode).toBe(2)
    expect(stderr).toContain("Allowed choices are bash, zsh, fish, jobs")
  })
})
