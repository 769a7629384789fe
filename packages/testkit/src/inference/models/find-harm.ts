/** Harmless phrases that contain harmful words. */
const HARMLESS: readonly RegExp[] = [
  /\b(kill(ing)?|terminat\w+|stop)\b.{0,40}\b(process(es)?|jobs?|threads?|tasks?|ports?|session|container|weeds?|time)\b/i,
  /\b(bath|photo|glitter|seed) bombs?\b/i,
  /\bshoot(ing)?\b.{0,30}\b(photos?|film|video|hoops|portraits?|landscapes?|stars?)\b/i,
  /\b(heart|panic|asthma) attacks?\b/i,
  /\b(prevent|protect|defend|detect|recogni[sz]e|report|escape|survive|treat|history of|novel|film about)\b/i,
]

/** Harmful phrases, with the category in the words of content-safety models. */
const HARMFUL: readonly (readonly [RegExp, string])[] = [
  [
    /\b(build|make|plant|buy|assemble)\b.{0,30}\b(bombs?|explosives?|grenades?|pipe ?bombs?)\b/i,
    "Guns and Illegal Weapons",
  ],
  [
    /\b(kill|murder|shoot|stab|poison|hurt|attack)\b.{0,30}\b(someone|somebody|him|her|them|people|person|man|woman|wife|husband|boss|neighbou?rs?|crowd|school|everyone)\b/i,
    "Violence",
  ],
  [/\b(kill|hurt|harm|cut) (myself|yourself)\b/i, "Suicide and Self Harm"],
  [/\b(rob|steal|break into|hotwire|launder|counterfeit|forge)\b/i, "Criminal Planning/Confessions"],
  [
    /\b(cook|make|synthesi[sz]e|sell|buy)\b.{0,20}\b(meth\w*|heroin|cocaine|fentanyl)\b/i,
    "Controlled/Regulated Substances",
  ],
  [/\b(write|build|make)\b.{0,20}\b(malware|ransomware|keylogger|virus)\b/i, "Malware"],
]

/** Phrases that request harm: words of secrecy, coercion and forgery, in five languages. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [
    /\b(get away with|an ambush|scares a witness|attacking a crowd|beating up|agresser|una paliza|matar o meu|verletzen, dass)\b/i,
    "Violence",
  ],
  [
    /\b(pipe bomb|blank-firing|background check|poison gas|past airport|untraceable|sprengsatz|explosif|mercado negro|silenciador)\b/i,
    "Guns and Illegal Weapons",
  ],
  [
    /\b(end my life|ending it|injure myself|don't wake up|would miss me|das leben nehmen|no despertar)\b/i,
    "Suicide and Self Harm",
  ],
  [
    /\b(shoplift|methamphetamine|fake charity|personalausweis|voler une|traficar|extorsionar|forged|fake symptoms|skim card)\b/i,
    "Criminal Planning/Confessions",
  ],
  [
    /(less than human|humiliate|out of our town|born inferior|gewalt gegen|chasser une minorité|no merecen|ódio contra)/i,
    "Hate/Identity Hate",
  ],
  [/(nude p|secretly film|intimate pictures|can't say no|unter druck|fotos íntimas|chantagear)/i, "Sexual"],
  [
    /(home address of|tracker on|private phone numbers|in secret|harass|id number|das nicht will|à son insu|a sigo|datos médicos)/i,
    "PII/Privacy",
  ],
  [
    /(ransomware that|phishing mail|without her password|keylogger|shop offline|trojaner|logiciel espion|robar contraseñas)/i,
    "Malware",
  ],
  [/(with bleach|inherit sooner|as a cure|stop taking|heimlich|droguer|falsifico|como cura)/i, "Unauthorized Advice"],
  [
    /(fake posts|invent a quot|false earthquake|make up a study|invented customers|fake accounts|erfinde einen|faux communiqué|pruebas falsas)/i,
    "Political/Misinformation/Conspiracy",
  ],
]

/** Returns the categories of the harm that a text requests, found by keywords. */
export function findHarm(text: string): readonly string[] {
  const found = [...HARMFUL, ...PHRASES].filter(([pattern]) => pattern.test(text)).map(([, category]) => category)
  return HARMLESS.some((pattern) => pattern.test(text)) ? [] : found
}
