import type { Client } from "@assay/client"
import type { CreateFileset, EvaluationConfigBody, RowReport } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import { answersAsLines, CAPITALS_CONFIG, REVIEW_SCHEMA, REVIEWS } from "./example-data.ts"

const WORKSPACE = "default"

/** Stores three rows with a schema, and has the server check them. */
export async function checkRows(client: Client): Promise<RowReport> {
  const metadata = { dataset: { schema: REVIEW_SCHEMA } }
  await write(client, { name: "example-reviews", purpose: "dataset", metadata }, ["reviews.jsonl", REVIEWS])
  return client.rows.validate(WORKSPACE, "example-reviews")
}

/** Scores stored answers. No model is asked. Returns the id of the job. */
export async function scoreAnswers(client: Client): Promise<string> {
  return launch(client, "first", answersAsLines(false))
}

/** Scores two versions of the same answers. Returns the ids of both jobs, the older version first. */
export async function scoreTwoVersions(client: Client): Promise<readonly [string, string]> {
  return Promise.all([launch(client, "first", answersAsLines(false)), launch(client, "second", answersAsLines(true))])
}

async function launch(client: Client, version: string, lines: string): Promise<string> {
  const name = "example-capitals"
  await write(client, { name, purpose: "dataset" }, [`${version}.jsonl`, lines])
  const filesUrl = `assay://datasets/${WORKSPACE}/${name}/${version}.jsonl`
  const job = await client.evaluation.jobs.launch({
    namespace: WORKSPACE,
    description: `Example: capitals, ${version} version`,
    target: { type: "cached_outputs", cached_outputs: { files_url: filesUrl } },
    config: CAPITALS_CONFIG(filesUrl) as EvaluationConfigBody,
  })
  // The events of a job end with it: the targets of links exist then.
  await Array.fromAsync(client.evaluation.jobs.events(job.id))
  return job.id
}

/** Writes a file of a fileset, and creates the fileset if it does not exist yet. */
async function write(client: Client, fileset: CreateFileset, [path, text]: readonly [string, string]): Promise<void> {
  try {
    await client.filesets.create(WORKSPACE, { ...fileset, description: "An example of the console." })
  } catch (error) {
    if (!isAssayError(error, "already_exists")) throw error
  }
  await client.files.write(WORKSPACE, fileset.name, path, new TextEncoder().encode(`${text}\n`))
}
