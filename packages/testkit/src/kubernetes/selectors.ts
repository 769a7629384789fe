/** Returns a predicate for a label selector: `a=b,c!=d,e,!f` and `a in (b,c)`. @throws Error for another form */
export function labelSelector(text: string): (labels: Readonly<Record<string, string>>) => boolean {
  const requirements = text === "" ? [] : text.split(/,(?![^(]*\))/).map((part) => requirementOf(part.trim()))
  return (labels) => requirements.every((requirement) => requirement(labels))
}

type Requirement = (labels: Readonly<Record<string, string>>) => boolean

function requirementOf(text: string): Requirement {
  const [, setKey, not, values] = /^([^\s=!]+) (not)?in \(([^)]*)\)$/.exec(text) ?? []
  if (setKey !== undefined && values !== undefined) {
    const set = new Set(values.split(",").map((value) => value.trim()))
    return (labels) => set.has(labels[setKey] ?? "") === (not === undefined)
  }
  const [, key = "", operator, value = ""] = /^([^\s=!]+)\s*(==|=|!=)\s*([^\s=!]*)$/.exec(text) ?? []
  if (operator !== undefined) return (labels) => (labels[key] === value) === (operator !== "!=")
  const [, absent, present] = /^(!?)([^\s=!]+)$/.exec(text) ?? []
  if (present === undefined) throw new Error(`unable to parse requirement: found '${text}'`)
  return (labels) => Object.hasOwn(labels, present) === (absent === "")
}

/** Returns a predicate for the field selectors that pods have: `metadata.name`, `spec.nodeName` and `status.phase`. @throws Error for another field */
export function podFieldSelector(
  text: string,
): (pod: { metadata: { name: string }; spec: { nodeName?: string }; status: { phase: string } }) => boolean {
  const requirements =
    text === ""
      ? []
      : text.split(",").map((part) => {
          const [, field = "", operator, value = ""] = /^([\w.]+)(==|=|!=)(.*)$/.exec(part) ?? []
          if (operator === undefined || !["metadata.name", "spec.nodeName", "status.phase"].includes(field)) {
            throw new Error(`field label not supported: ${field}`)
          }
          return { field, isEqual: operator !== "!=", value }
        })
  return ({ metadata, spec, status }) => {
    const values: Readonly<Record<string, string>> = {
      "metadata.name": metadata.name,
      "spec.nodeName": spec.nodeName ?? "",
      "status.phase": status.phase,
    }
    return requirements.every(({ field, isEqual, value }) => (values[field] === value) === isEqual)
  }
}
