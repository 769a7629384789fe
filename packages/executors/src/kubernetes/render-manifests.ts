import type { ShardWork } from "../executor.ts"
import { type JobManifest, mergeJob, shardsJob } from "./job-manifests.ts"
import type { KubernetesProfile } from "./kubernetes-profile.ts"

/** Returns the Jobs of a submission as YAML for `kubectl apply -f -`. */
export async function renderManifests(profile: KubernetesProfile, work: ShardWork): Promise<string> {
  const options = { namespace: profile.namespace, number: 1 }
  const jobs = [shardsJob(profile, work, options), ...(work.merges ? [mergeJob(profile, work, options)] : [])]
  const header = [
    "The shards of a run, which Assay cut. Start them with: kubectl apply -f -",
    ...(profile.queue === undefined ? [] : ["Kueue starts the Jobs: they are suspended until its queue admits them."]),
    ...(work.merges ? [] : ["When all shards have ended, compute the results with `assay eval merge`."]),
  ]
  const comment = header.map((line) => `# ${line}\n`).join("")
  const documents = await Promise.all(jobs.map(formatManifest))
  // Each begins with a line of its own, so that the manifests of several runs can follow each other.
  return `${comment}${documents.map((document) => `---\n${document}`).join("")}`
}

/** Keys that no version of YAML reads as something else than their text. */
const PLAIN_KEY = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z][\w./-]*$/i

/** Formats a manifest. Words such as `on`, `1e3` and `0o17` are texts in both versions of YAML: kubectl reads 1.1. */
async function formatManifest(manifest: JobManifest): Promise<string> {
  const { Document, visit } = await import("yaml")
  const document = new Document(manifest, { aliasDuplicateObjects: false })
  visit(document, {
    Scalar(key, node) {
      if (typeof node.value !== "string") return
      node.type = key === "key" && PLAIN_KEY.test(node.value) ? "PLAIN" : "QUOTE_DOUBLE"
    },
  })
  return document.toString({ lineWidth: 0 })
}
