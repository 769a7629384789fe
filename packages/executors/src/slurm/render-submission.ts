import { quoteForShell } from "../run/quote-for-shell.ts"

export interface RenderedScripts {
  readonly name: string
  readonly logFolder: string
  /** The scripts of arrays. Each starts when the one before has ended. */
  readonly arrays: readonly string[]
  /** Whether each array waits for the one before. */
  readonly isChained: boolean
  readonly merge: string | undefined
  /** Variables that must be set where the text is run. */
  readonly variables: readonly string[]
}

/** Returns the options of sbatch for the environment, which command lines and variables of a site can't replace then. */
export const SBATCH = ["sbatch", "--parsable", "--export=ALL"] as const

/** Returns the options of a job that starts when others have ended, however they ended. A job that could never start is removed. */
export function dependencyOn(jobs: readonly string[]): readonly string[] {
  return jobs.length === 0 ? [] : [`--dependency=afterany:${jobs.join(":")}`, "--kill-on-invalid-dep=yes"]
}

/** Returns a text for /bin/sh that submits the scripts. The scripts are in it as they are. */
export function renderSubmission(scripts: RenderedScripts): string {
  const { name, logFolder, arrays, isChained, merge, variables } = scripts
  const needs =
    variables.length === 0 ? [] : [`# It takes these variables from the environment: ${variables.join(", ")}.`]
  const submitted = arrays.map((_, number) => `array_${number}`)
  const jobs = submitted.map((variable) => `\${${variable}%%;*}`)
  return [
    "#!/bin/sh",
    `# Submits the run ${name} to Slurm. Run it with sh on a machine that has sbatch.`,
    ...needs,
    "set -e",
    `mkdir -p ${quoteForShell(logFolder)}`,
    ...arrays.flatMap((script, number) => [
      ...heredoc(`script_${number}`, script),
      submit(`array_${number}`, `script_${number}`, isChained ? jobs.slice(0, number).slice(-1) : []),
      `echo "shards: job $array_${number}"`,
    ]),
    ...(merge === undefined
      ? ["# When all of them have ended, compute the results with `assay eval merge`."]
      : [...heredoc("merge_script", merge), submit("merge", "merge_script", jobs), 'echo "merge: job $merge"']),
    "",
  ].join("\n")
}

function submit(variable: string, script: string, after: readonly string[]): string {
  const options = dependencyOn(after).map((option) => (option.includes("$") ? `"${option}"` : option))
  return `${variable}=$(${script} | ${[...SBATCH, ...options].join(" ")})`
}

/** Returns a function of sh that prints a script. The end of the script is a line that it does not contain. */
function heredoc(name: string, script: string): readonly string[] {
  let end = "END_OF_SCRIPT"
  while (script.split("\n").includes(end)) end += "_"
  return [`${name}() { cat <<'${end}'`, script.trimEnd(), end, "}"]
}
