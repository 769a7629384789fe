import { isAbsolute } from "node:path"
import { AssayError, printable } from "@assay/schemas"
import { formatIndexList } from "../run/index-list.ts"
import type { ShardWork } from "../executor.ts"
import { quoteForShell } from "../run/quote-for-shell.ts"
import { mergeCommand, shardCommand } from "../shard-command.ts"
import type { ArrayPart } from "./array-indexes.ts"
import { NAME_PREFIX } from "./cancel-jobs.ts"
import type { SlurmProfile } from "./slurm-profile.ts"
import { escapeLogFolder, formatLogPattern } from "./slurm-logs.ts"

export interface ScriptOptions {
  readonly work: ShardWork
  readonly profile: SlurmProfile
  /** Absolute path of the folder of the output files. */
  readonly logFolder: string
}

/**
 * Returns the script of sbatch that runs shards as an array. It needs only /bin/sh on the nodes. Output files are appended to, because Slurm would
 * otherwise empty them if it starts a task again.
 */
export function shardScript({ work, profile, logFolder }: ScriptOptions, { offset, indexes }: ArrayPart): string {
  const limit = work.atOnce < indexes.length ? `%${work.atOnce}` : ""
  const index = offset === 0 ? "$SLURM_ARRAY_TASK_ID" : `$((SLURM_ARRAY_TASK_ID + ${offset}))`
  return lines([
    "#!/bin/sh",
    directive(`--job-name=${NAME_PREFIX}${work.name}`),
    directive(`--array=${formatIndexList(indexes)}${limit}`),
    ...sharedDirectives(profile, logFolder, formatLogPattern.shard(offset)),
    `shard=${index}`,
    `echo "shard $shard: task \${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID, start $((\${SLURM_RESTART_COUNT:-0} + 1)), on \${SLURMD_NODENAME:-?}"`,
    ...preparation(profile),
    `exec ${command(shardCommand(work), work, profile)} --index "$shard"`,
  ])
}

/**
 * Returns the script of sbatch that merges the results. sbatch gets its dependency on the command line. Inside a container there is no sbatch, so
 * there it submits nothing again.
 */
export function mergeScript({ work, profile, logFolder }: ScriptOptions): string {
  const resubmit = profile.container === undefined ? work.retries : undefined
  return lines([
    "#!/bin/sh",
    directive(`--job-name=${NAME_PREFIX}${work.name}-merge`),
    ...sharedDirectives(profile, logFolder, formatLogPattern.merge),
    ...preparation(profile),
    `exec ${command(mergeCommand(work, { resubmit }), work, profile)}`,
  ])
}

function sharedDirectives(profile: SlurmProfile, logFolder: string, pattern: string): readonly string[] {
  const { partition, account, qos, time, constraint, memory, cpus, sbatch_options: others = [] } = profile
  const values = { partition, account, qos, time, constraint, mem: memory, "cpus-per-task": cpus }
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return [
    "--ntasks=1",
    "--requeue",
    "--open-mode=append",
    `--output=${escapeLogFolder(logFolder)}/${pattern}`,
    ...given.map(([name, value]) => `--${name}=${value}`),
    ...others,
  ].map(directive)
}

/** Words that make old and new versions of sbatch cut a script into several jobs, wherever a directive contains them. */
const CUTS = /packjob|hetjob/i

/**
 * Returns a line with an option of sbatch, which reads double quotes and backslashes like a shell, and nothing else.
 * @throws `bad_usage` for an option that no quoting can protect
 */
function directive(option: string): string {
  // Names and paths of a job arrive here without a schema.
  if (/[\n\r\0]/.test(option) || CUTS.test(option)) {
    const message = `sbatch can't read the option '${printable(option)}': it must be on one line, without the words hetjob and packjob.`
    throw new AssayError("bad_usage", message)
  }
  const isPlain = /^[\w./:=@%+,-]+$/.test(option)
  return `#SBATCH ${isPlain ? option : `"${option.replaceAll(/["\\]/g, String.raw`\$&`)}"`}`
}

/** Lmod and Environment Modules define `module` in shells of a login. The script runs in another one. */
const FIND_MODULES = [
  "if ! command -v module >/dev/null 2>&1; then",
  '  for init in "${MODULESHOME:-/}/init/sh" "${LMOD_PKG:-/}/init/sh" /etc/profile.d/modules.sh /etc/profile.d/lmod.sh /usr/share/lmod/lmod/init/sh /usr/share/modules/init/sh; do',
  '    if [ -r "$init" ]; then . "$init"; break; fi',
  "  done",
  "fi",
]

function preparation({ environment = {}, modules = [], setup = [] }: SlurmProfile): readonly string[] {
  return [
    ...Object.entries(environment).map(([name, value]) => `export ${name}=${quoteForShell(value)}`),
    ...(modules.length === 0 ? [] : FIND_MODULES),
    ...modules.map((name) => `module load ${quoteForShell(name)} || exit`),
    ...(setup.length === 0 ? [] : [...setup, "[ $? -eq 0 ] || exit 1"]),
  ]
}

function command(words: readonly string[], { run }: ShardWork, { container }: SlurmProfile): string {
  if (container === undefined) return words.map(quoteForShell).join(" ")
  const { image, command: program = "apptainer", binds = [] } = container
  const folders = [...(isAbsolute(run) ? [run] : []), ...binds]
  for (const folder of folders) checkBind(folder)
  return [program, "exec", ...folders.flatMap((folder) => ["--bind", folder]), image, ...words]
    .map(quoteForShell)
    .join(" ")
}

/** @throws `bad_usage` for a folder that the container program would read as several */
function checkBind(folder: string): void {
  if (!folder.includes(",")) return
  throw new AssayError("bad_usage", `A container can't see '${printable(folder)}': give a path without a comma.`)
}

function lines(all: readonly string[]): string {
  return `${all.join("\n")}\n`
}
