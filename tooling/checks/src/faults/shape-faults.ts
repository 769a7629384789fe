import { PACKAGES } from "../packages.ts"
import type { Manifest } from "../reading/manifest.ts"

const VERSION_OF_OURS = "workspace:*"
const VERSION_OF_OTHERS = "catalog:"

/** Returns the differences of a publishable manifest from the common shape, each as a sentence. */
export function shapeFaults(manifest: Manifest): readonly string[] {
  const rules: readonly (readonly [boolean, string])[] = [
    [manifest.type === "module", "type is module"],
    [manifest.sideEffects === false, "sideEffects is false"],
    [manifest.license === "Apache-2.0", "license is Apache-2.0"],
    [manifest.main === undefined, "there is no main: exports say it"],
    [/^\["dist"(,"data")?\]$/.test(JSON.stringify(manifest.files)), 'files is ["dist"], with "data" where data ships'],
    [manifest.engines?.["node"] === ">=24", "engines.node is >=24"],
    [isOneSentence(manifest.description), "description is one sentence"],
    [hasEntry(manifest), 'exports has "./package.json", and "." unless it is a command or a bundle'],
    [
      Object.values(manifest.exports ?? {}).every(isTypedExport),
      "each export gives source, types, default, in this order",
    ],
  ]
  return rules.filter(([holds]) => !holds).map(([, rule]) => `${manifest.name}: ${rule}.`)
}

/** Returns the dependencies whose version does not come from the workspace or its catalog. */
export function versionFaults(manifest: Manifest): readonly string[] {
  const { dependencies, devDependencies, peerDependencies } = manifest
  const own = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([name, version]) => version !== (name.startsWith("@assay/") ? VERSION_OF_OURS : VERSION_OF_OTHERS),
  )
  const peers = Object.entries(peerDependencies ?? {}).filter(
    ([, version]) => version !== "*" && version !== VERSION_OF_OTHERS,
  )
  return [...own, ...peers].map(([name, version]) => `${manifest.name}: ${name} is ${version}.`)
}

function isOneSentence(text: string): boolean {
  return /^\S.{10,120}\.$/.test(text) && !text.slice(0, -1).includes(". ")
}

function hasEntry(manifest: Manifest): boolean {
  const { exports = {}, bin, short } = manifest
  return (
    exports["./package.json"] === "./package.json" &&
    (exports["."] !== undefined || bin !== undefined || PACKAGES[short]?.isBundled === true)
  )
}

/** Returns whether an export has types. One for tests of other packages has only a source. A program has no source: it is started from its bundle. */
function isTypedExport(target: string | Readonly<Record<string, string>>): boolean {
  if (typeof target === "string") return target === "./package.json"
  const keys = Object.keys(target).join()
  if (keys === "source") return /^\.\/src\/testing\/index\.ts$/.test(target["source"] ?? "")
  const isProgram = keys === "types,default" && /\/bundle\//.test(target["default"] ?? "")
  return (
    (isProgram || (keys === "source,types,default" && target["source"] === sourceOf(target["default"] ?? ""))) &&
    /^\.\/dist\/.*\.d\.ts$/.test(target["types"] ?? "") &&
    target["default"]?.replace("/bundle/", "/") === target["types"]?.replace(/\.d\.ts$/, ".js")
  )
}

function sourceOf(built: string): string {
  return built.replace(/^\.\/dist\//, "./src/").replace(/\.js$/, ".ts")
}
