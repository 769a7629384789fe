import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { printable } from "@assay/schemas"
import { formatYaml } from "@assay/validation"
import type { Context } from "../../context.ts"
import { EVALUATION_FILE } from "../../evaluation-file.ts"
import { writeText } from "../../output/write-text.ts"
import { readVersion } from "../../read-version.ts"
import { print } from "../print.ts"
import type { InitOptions } from "./init.ts"
import { checkFree, writeFiles } from "./write-files.ts"

const FILE = ".github/workflows/evaluation.yml"

/** Runs `assay init ci`: writes a workflow of GitHub that runs an evaluation file for each change, and keeps its results. */
export async function initCi(context: Context, options: InitOptions): Promise<void> {
  const { force = false, key } = options
  const out = resolve(context.cwd, options.out ?? FILE)
  checkFree(context, [out], force)
  const run = {
    name: "Run the evaluation",
    // Another version could read the file or decide its gates differently.
    run: `npx --yes @assay/cli@${readVersion()} eval run evaluation.yaml \\\n  --out ./results --junit junit.xml --summary "$GITHUB_STEP_SUMMARY"\n`,
    ...(key === undefined ? {} : { env: { [key]: `\${{ secrets.${key} }}` } }),
  }
  const workflow = {
    name: "Evaluation",
    on: { pull_request: {}, push: { branches: ["main"] } },
    permissions: { contents: "read" },
    jobs: {
      evaluation: {
        "runs-on": "ubuntu-latest",
        steps: [
          { uses: "actions/checkout@v4" },
          { uses: "actions/setup-node@v4", with: { "node-version": 24 } },
          run,
          {
            name: "Keep the results",
            if: "always()",
            uses: "actions/upload-artifact@v4",
            with: { name: "evaluation", path: "results\njunit.xml\n" },
          },
        ],
      },
    },
  }
  const comment =
    "# Runs evaluation.yaml. The job fails if a gate fails (exit code 1), and also if too few rows decide it (3).\n" +
    "# A key of a model at another machine also needs --key-host HOST.\n"
  const text = comment + formatYaml(workflow)
  const written = await writeFiles(context, [{ path: out, text }])
  await print(context, options, { written }, () => `wrote ${written.map(printable).join(", ")}\n\n${text}`)
  if (options.json !== true) await noteLoopback(context)
}

/** An address that only the machine itself reaches. */
const LOOPBACK = /https?:\/\/(?:127\.\d+\.\d+\.\d+|localhost|\[::1\]|0\.0\.0\.0)(?::\d+)?(?=[/#"'\s,}\]]|$)/im

/** Says that a runner can't reach the model of this machine that the evaluation file asks. */
async function noteLoopback({ cwd, stderr }: Context): Promise<void> {
  const text = await readFile(resolve(cwd, EVALUATION_FILE), "utf8").catch(() => "")
  const [address] = LOOPBACK.exec(text.replaceAll(/^\s*#.*$/gm, "")) ?? []
  if (address === undefined) return
  await writeText(
    stderr,
    `note: ${EVALUATION_FILE} asks ${address}, which is this machine and not the one that runs the workflow: name an address that it reaches, or add a step before that starts the model\n`,
  )
}
