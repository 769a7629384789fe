import { setImmediate as nextTurn } from "node:timers/promises"
import { isAssayError } from "@assay/schemas"

/**
 * Returns a function that runs tasks in groups. Tasks that are added while a group runs form the next group. If a group
 * fails, its tasks are run one by one, so that one task can't fail the others. This is not done if the database is
 * unavailable, because each task would wait again.
 */
export function groupTasks<Task>(run: (tasks: readonly Task[]) => Promise<void>): (task: Task) => Promise<void> {
  interface Waiting {
    readonly task: Task
    readonly resolve: () => void
    readonly reject: (error: unknown) => void
  }
  let waiting: Waiting[] = []
  let isRunning = false

  async function runGroup(group: readonly Waiting[]): Promise<void> {
    try {
      await run(group.map(({ task }) => task))
      for (const { resolve } of group) resolve()
    } catch (error) {
      if (group.length === 1 || isAssayError(error, "unavailable")) for (const { reject } of group) reject(error)
      else for (const one of group) await runGroup([one])
    }
  }

  async function runAll(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      // Wait for the tasks of this turn of the event loop: a larger group costs little more.
      await nextTurn()
      const group = waiting
      waiting = []
      await runGroup(group)
    }
    isRunning = false
  }

  return (task) =>
    new Promise((resolve, reject) => {
      waiting.push({ task, resolve, reject })
      if (!isRunning) void runAll()
    })
}

/** Does the same as `groupTasks`, with separate groups for each key. Tasks of one key do not wait for those of another. */
export function groupTasksBy<Task>(
  keyOf: (task: Task) => string,
  run: (tasks: readonly Task[]) => Promise<void>,
): (task: Task) => Promise<void> {
  const groups = new Map<string, { readonly add: (task: Task) => Promise<void>; tasks: number }>()
  return async (task) => {
    const key = keyOf(task)
    const group = groups.get(key) ?? { add: groupTasks(run), tasks: 0 }
    groups.set(key, group)
    group.tasks += 1
    try {
      await group.add(task)
    } finally {
      group.tasks -= 1
      if (group.tasks === 0) groups.delete(key)
    }
  }
}
