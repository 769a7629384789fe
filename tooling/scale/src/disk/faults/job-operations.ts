import { must } from "./make-fileset.ts"
import { seen, type Operation, type Send, type Surroundings } from "./operation.ts"

const JOBS = "/v1/evaluation/jobs"

export const CHECKED = {
  type: "custom",
  tasks: {
    qa: {
      type: "data",
      metrics: {
        accuracy: { type: "string-check", params: { check: ["{{ item.answer }}", "equals", "{{ item.expected }}"] } },
      },
    },
  },
}
const ROWS = Array.from({ length: 20 }, (_, row) => ({ answer: row % 3 === 0 ? "yes" : "no", expected: "yes" }))

/** Launches a job over given rows, and returns its id. */
export async function launch(send: Send): Promise<string> {
  const json = { target: { type: "rows", rows: ROWS }, config: CHECKED }
  const { json: job } = await must(send("POST", `${JOBS}?skip_validation_checks=1`, { json }))
  return (job as { readonly id: string }).id
}

/** Waits until a job has ended, and returns its status. */
export async function endOf(send: Send, id: string): Promise<string> {
  for (;;) {
    const { json } = await send("GET", `${JOBS}/${id}`)
    const { status = "" } = json as { readonly status?: string }
    if (/^(completed|failed|cancelled)$/i.test(status)) return status
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Returns an operation that only reads. */
function reading(name: string, path: (around: Surroundings) => string): Operation {
  return {
    name,
    async prepare(around) {
      const get = () => around.send("GET", path(around))
      return { run: get, read: async () => seen(await get()) }
    },
  }
}

/** Returns a read of jobs that nobody has read before, so that nothing is in memory. The next read must succeed. */
function firstReading(name: string, path: (job: string, otherJob: string) => string): Operation {
  return {
    name,
    async prepare({ send }) {
      const jobs = [await launch(send), await launch(send)] as const
      for (const job of jobs) await endOf(send, job)
      const get = () => send("GET", path(...jobs))
      let hasRun = false
      return {
        run: () => {
          hasRun = true
          return get()
        },
        read: async () => (hasRun ? (await get()).status : 200),
      }
    },
  }
}

export const onJobs: readonly Operation[] = [
  {
    name: "launch a job",
    async prepare({ send }, id) {
      const json = { target: { type: "rows", rows: ROWS }, config: CHECKED, custom_fields: { id } }
      const count = async () => {
        const { text } = await send("GET", `${JOBS}?page_size=1000`)
        return text.split(`"${id}"`).length - 1
      }
      return { run: () => send("POST", `${JOBS}?skip_validation_checks=1`, { json }), read: count }
    },
  },
  {
    name: "DELETE a job",
    async prepare({ send }) {
      const id = await launch(send)
      await endOf(send, id)
      const reads = [id, `${id}/results`, `${id}/rows`, `${id}/logs?format=text`].map((path) => `${JOBS}/${path}`)
      return {
        run: () => send("DELETE", `${JOBS}/${id}`),
        read: () => Promise.all(reads.map(async (path) => seen(await send("GET", path)))),
      }
    },
  },
  {
    name: "PUT labels",
    async prepare({ send, job }, id) {
      const labels = [{ task: "qa", row_index: 0, repeat: 0, metric: "accuracy", label: 1 }]
      const list = () => send("GET", `${JOBS}/${job}/labels?metric=accuracy&fileset=${id}`)
      await must(send("PUT", `${JOBS}/${job}/labels`, { json: { labels, fileset: id } }))
      return {
        run: () =>
          send("PUT", `${JOBS}/${job}/labels`, { json: { labels: [{ ...labels[0], row_index: 1 }], fileset: id } }),
        read: async () => seen(await list()),
      }
    },
  },
  reading("read rows of a job", ({ job }) => `${JOBS}/${job}/rows`),
  reading("read results of a job", ({ job }) => `${JOBS}/${job}/results`),
  reading("read the next labels", ({ job }) => `${JOBS}/${job}/labels/next?metric=accuracy`),
  reading(
    "compare rows of jobs",
    ({ job, otherJob }) => `/v1/evaluation/compare/rows?a=${job}&b=${otherJob}&metric=accuracy`,
  ),
  firstReading("read rows of a new job", (job) => `${JOBS}/${job}/rows`),
  firstReading("read the next labels of a new job", (job) => `${JOBS}/${job}/labels/next?metric=accuracy`),
  firstReading("compare rows of new jobs", (a, b) => `/v1/evaluation/compare/rows?a=${a}&b=${b}&metric=accuracy`),
  firstReading("read the log of a new job", (job) => `${JOBS}/${job}/logs?format=text`),
  firstReading("download the results archive", (job) => `${JOBS}/${job}/download-results`),
]
