import type { Executor, ShardWork } from "../executor.ts"
import type { ProcessPorts } from "../processes/process-ports.ts"
import { startProcesses } from "../processes/start-processes.ts"
import { createStartedProcesses, logsFolderOf, nameOfShard } from "../processes/started-processes.ts"
import { quoteForShell } from "../run/quote-for-shell.ts"
import { mergeCommand, shardCommand } from "../shard-command.ts"

/**
 * Runs shards as processes of this machine, at most `atOnce` at a time. A process that fails or is killed is started again up to `retries` times. All
 * of them end with this process, however it ends. Their output is kept in the run: `logs/00007-1.log`.
 */
export function createLocalExecutor(ports: ProcessPorts): Executor {
  const started = createStartedProcesses(ports)
  return {
    isTied: true,
    restarts: true,
    render: async (work) => renderCommands(work),
    async submit(work, signal) {
      const { atOnce, retries, indexes } = work
      const logs = await logsFolderOf(work)
      const tasks = indexes.map((index) => ({ name: nameOfShard(index), command: wordsOf(shardCommand(work, index)) }))
      const { cwd, env, sleep } = ports
      const processes = startProcesses(tasks, { atOnce, retries, logs, cwd, env, sleep, signal })
      return { ids: await started.note(processes, logs), indexes, merges: false }
    },
    look: (submission) => started.look(submission, nameOfShard),
    cancel: (submission) => started.cancel(submission),
    logs: (submission, index, signal) => started.logs(submission, nameOfShard(index), signal),
  }
}

/** Returns the commands of all shards, at most `atOnce` of which run at a time. */
function renderCommands(work: ShardWork): string {
  const line = (words: readonly string[]) => words.map(quoteForShell).join(" ")
  return [
    `# ${work.indexes.length} processes of this machine, at most ${work.atOnce} at a time:`,
    ...work.indexes.map((index) => line(shardCommand(work, index))),
    "# and when all of them have ended:",
    line(mergeCommand(work)),
    "",
  ].join("\n")
}

function wordsOf([program = "", ...args]: readonly string[]): [string, ...string[]] {
  return [program, ...args]
}
