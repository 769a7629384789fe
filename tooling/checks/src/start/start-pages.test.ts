import { describe, expect, it } from "vitest"
import { lookedAt } from "../reading/looked-at.ts"
import { repositoryFiles } from "../reading/repository-files.ts"
import { readText } from "../reading/repository.ts"
import { hasTerminal, openPageShell } from "./page-shell.ts"
import { comparable, pageSteps, scriptOf, startsServer, withOutputs } from "./page-steps.ts"

const pages = [...repositoryFiles(/^docs\/start\/.*\.md$/), "README.md"]

describe("the steps of a page", () => {
  const page =
    "# A\n\n```sh\nassay serve\n```\n\n```sh\nfirst\n```\n\nprose\n\n```text\nout 0.1 s\n```\n\nThe exit code is 3.\n\n```sh\nsecond\n```\n"

  it("are its commands with the output and the exit code that the page names", () => {
    expect(pageSteps(page)).toEqual([
      { commands: "first\n", output: "out 0.1 s\n", exitCode: 3 },
      { commands: "second\n", output: undefined, exitCode: 0 },
    ])
    expect(startsServer(page)).toBe(true)
  })

  it("get new outputs without a change of anything else", () => {
    expect(withOutputs(page, ["new $& 2 s\n"])).toBe(page.replace("out 0.1 s", () => "new $& 2 s"))
  })

  it("are compared without durations, times, ids and digests", () => {
    const outputs = ["a  1 ms eval-3QJmnh8Y1kGqvS4cQKFJ2b 4e86ed4a", "a 20.5 ms eval-7Xo2cPqZ5TtYh3nRw8KdLm 9d8465d0\n"]
    expect(new Set(outputs.map(comparable)).size).toBe(1)
    expect(comparable("5 rows")).not.toBe(comparable("6 rows"))
  })
})

describe("the commands of the first pages", () => {
  it.each(pages)(
    "%s do what the page says; if not, run `node tooling/checks/src/write-start-pages.ts`",
    async (path) => {
      const page = readText(path)
      const shell = await openPageShell({ hasServer: startsServer(page), script: scriptOf(page) })
      try {
        for (const { commands, output, exitCode } of lookedAt(`command in ${path}`, pageSteps(page))) {
          const ran = await shell.run(commands)
          expect({ commands, exitCode: ran.exitCode, output: ran.output }).toMatchObject({ commands, exitCode })
          if (output !== undefined && hasTerminal) expect(comparable(ran.output)).toBe(comparable(output))
        }
      } finally {
        await shell.close()
      }
    },
  )
})
