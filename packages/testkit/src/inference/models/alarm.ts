import { findHarm } from "./find-harm.ts"

const ALARMING =
  /\b(kill|shoot|bomb|attack|explode|explosive|weapon|gun|poison|poisonous|hack|drug|steal|die|dying|dead|knife|sword|rifle|blow up|war|murder|suicide|burglary|robbery|pickpocket|smuggling|fraud|hate|racist|genocide|virus|ransomware|exploit|lethal|nude|sex|abuse|crack|töten|hassen|matar|mato|pistola|robo|abattre)(s|ed|ing|er|ers)?\b/i

/** Returns the harm that a judge of single words sees in a text. */
export function alarm(text: string): readonly string[] {
  return ALARMING.test(text) ? ["Violence"] : findHarm(text)
}
