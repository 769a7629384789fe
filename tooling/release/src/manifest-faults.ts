import type { Package } from "./manifest.ts"

/** Returns the fields that a registry needs and the manifest of a published package lacks, each as a sentence. */
export function manifestFaults({ folder, manifest }: Package): readonly string[] {
  const { repository } = manifest
  const rules: readonly (readonly [boolean, string])[] = [
    [(manifest.files ?? []).length > 0, "files lists what is published"],
    [manifest.license !== undefined, "license is set"],
    [(manifest.keywords ?? []).length > 0, "keywords has at least one word"],
    [manifest.publishConfig?.access === "public", "publishConfig.access is public"],
    [
      repository?.type === "git" && repository.url?.startsWith("git+https://") === true,
      "repository has type git and a url",
    ],
    [repository?.directory === folder, `repository.directory is ${folder}`],
  ]
  return rules.filter(([holds]) => !holds).map(([, rule]) => `${manifest.name}: ${rule}, in ${folder}/package.json.`)
}
