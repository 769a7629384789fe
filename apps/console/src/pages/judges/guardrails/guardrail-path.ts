/** Returns the address of a guardrail's page. */
export function guardrailPath(workspace: string, name: string): string {
  return `/guardrails/${encodeURIComponent(workspace)}/${encodeURIComponent(name)}`
}
