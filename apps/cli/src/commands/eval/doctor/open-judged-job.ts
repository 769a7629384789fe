import { join, resolve } from "node:path"
import { downloadResultFiles, resultsFolder } from "@assay/local"
import type { judgeDoctor } from "@assay/results"
import { readGateStates } from "@assay/schemas"
import type { Context } from "../../../context.ts"
import { isLocal } from "../../../is-folder-name.ts"
import { openClient } from "../../../open-client.ts"
import { type LabelOptions, openLabels } from "../../label/open-labels.ts"

type JobToExamine = Parameters<typeof judgeDoctor.examine>[0]

/** A job whose rows are in a folder of this machine. */
export interface JudgedJob extends AsyncDisposable {
  readonly id: string
  readonly job: JobToExamine
  /** Absolute path of its results. */
  readonly folder: string
  /** Absolute path of the folder for answers of judges that are asked again. */
  readonly answers: string
}

export interface OpenJudgedOptions extends LabelOptions {
  /** Absolute path of an empty folder for the results of jobs of a server. */
  readonly downloads: string
  /** Absolute path of the folder below which answers are kept. */
  readonly kept: string
}

/** Opens a job, which is an id of the server or a folder with results, for the examination of its judges. */
export async function openJudgedJob(context: Context, name: string, options: OpenJudgedOptions): Promise<JudgedJob> {
  const folder = await folderOf(context, name, options.downloads)
  const { job, result } = await resultsFolder.read(folder, name)
  const { rows } = await resultsFolder.readJobToCompare(folder, name)
  const labels = await openLabels(context, name, options)
  const { target, config, id } = job
  const answers = join(options.kept, id.replaceAll(/[^\w-]/gu, "_"))
  return {
    id,
    folder,
    answers,
    job: {
      name,
      config,
      result,
      target: target.model?.api_endpoint.model_id ?? null,
      gates: readGateStates(job.gates),
      journal: { read: (signal) => rows(signal) },
      people: {
        list: async (metric) => (await labels.desk.list(metric)).data,
        report: (metric) => labels.desk.report(metric),
      },
    },
    [Symbol.asyncDispose]: () => labels[Symbol.asyncDispose](),
  }
}

async function folderOf(context: Context, name: string, downloads: string): Promise<string> {
  if (isLocal(context, name)) return resolve(context.cwd, name)
  const { signal } = context
  const { files, evaluation } = openClient(context)
  const folder = join(downloads, name.replaceAll(/[^\w-]/gu, "_"))
  await downloadResultFiles(files, await evaluation.jobs.get(name, { signal }), folder, { signal })
  return folder
}
