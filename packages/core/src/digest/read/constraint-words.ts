/**
 * How people forbid, correct and demand. `denials` forbid or correct; `demands` oblige or limit. Word borders are those of
 * letters in any script; Chinese, Japanese, Korean and Thai have none. A rule that is not recognized is not lost: it stands
 * with the rest of what the user typed, and only where that is too much do rules come first.
 */
interface Language {
  readonly denials: string;
  readonly demands: string;
  /** Phrases that look like a denial and are none. */
  readonly not?: string;
}

/** The clause starts here: only there is a bare "no" or "не" an order. */
const start =
  '(?:^|[,;]\\s*|\\b(?:and|but|also|please|und|aber|bitte|et|mais|y|pero|por favor|e|mas|ma|per favore)\\s+)';

export const spaced: Readonly<Record<string, Language>> = {
  en: {
    denials: `never|don[’']?t|do not|must not|mustn[’']?t|should(?:n[’']?t| not)|may not|can(?:no|[’'])t (?:use|change|touch|edit|break|push)|
      not allowed|forbid(?:s|den)?|prohibit(?:s|ed)?|refrain from|(?:nobody|no one|none of you) (?:may|can|should|must)|off[- ]limits|
      stop (?:\\p{L}+ing|it|that|there|here)|no longer|no more|not yet|hands off|leave .{1,60} (?:alone|as is|untouched)|
      under no circumstances|(?<!^)instead|rather than|rather you did(?: not|n[’']?t)|i meant|i said|i mean(?!,)|not what i|
      actually(?=,? (?!it|that|this|the|i|we|there|they|he|she|you|works?))|(?<=^|^please )(?:revert|undo)|no need to|not .{1,60} but|
      on second thought|scratch that|forget (?:about|what|that)|changed my mind`,
    demands: `must|always|only|make sure|ensure|be sure to|need(?:s)? to|has to|have to|required?|avoid|without|except|unless|until|
      at (?:most|least)|no (?:more|less|fewer) than|exactly|keep|prefer|should|strictly|remember|important|from now on|limit|
      before (?:you|committing|pushing)|use .{1,60} not|as long as|no new`,
    not: `i (?:don[’']?t|do not) (?:know|think|see|understand|mind|care|remember|believe|like|have|want to|get|recall|really)|don[’']?t worry|
      why (?:don|do not)|what(?:ever)? (?:don|is wrong)|don[’']?t you think|(?:they|these|those) don[’']?t|you don[’']?t (?:seem|have to)|
      (?<=^|[,;] ?)no(?=,? (?:it|that|this|i|we|he|she|they|there)(?!\\p{L}))|(?<=^|[,;] ?)no (?:idea|problem|worr\\p{L}+|clue|luck|doubt|wonder|thank\\p{L}*|way|rush|big deal|
      difference|questions?|matter|response|output|errors?|failures?|change|more errors?)|
      (?:it|that|this|which) should (?:work|be|do|help|suffice)(?: it| fine| ok(?:ay)?| enough)?(?= *(?:$|[.!,]|now|then))|
      (?:it|that|this|which|bug|error|test) (?:only|never|always|no longer) (?:fail|happen|work|crash|show|appear|start|break|occur|pass)\\p{L}*|
      i (?:should(?! be able)|remember|(?:only|never|always) (?:see|saw|seen|get|got|have|had|know|knew|tried|noticed|heard|forget|used))|
      (?:i|we) (?:need|have|had) to (?:go|think|wait|leave|check|run|look|talk|ask|admit|say)|should(?:n[’']?t| not) take|nothing important|
      (?:not )?(?:exactly|important)(?= *(?:$|[.!]))`,
  },
  de: {
    denials: `nie|niemals|nicht|kein(?:e|en|er|es|em)?|auf keinen fall|keinesfalls|verboten|untersagt|h[öo]r auf|stopp|stattdessen|
      ich meinte|ich meine|r[üu]ckg[äa]ngig|doch nicht|lass(?:t|e)? .{1,60} (?:in ruhe|so)|finger weg|sondern`,
    demands: `muss|musst|m[üu]ssen|immer|nur|ausschlie(?:ß|ss)lich|ohne|vermeide|unbedingt|soll(?:st|en|te|ten)?|h[öo]chstens|mindestens|
      achte|stelle? sicher|zwingend|bevor|erst wenn|ab jetzt|genau|bleib`,
    not: 'wei(?:ß|ss) (?:ich )?nicht|glaube? (?:ich )?nicht|verstehe (?:ich )?nicht|keine ahnung|kein problem|warum nicht|(?:funktioniert|geht|klappt|l[äa]uft|kompiliert|passt|stimmt|hilft|ging|lief)(?: \\p{L}+)? nicht|kein fehler',
  },
  fr: {
    denials: `jamais|n[e’'].{1,60}\\s(?:pas|plus|jamais|rien)|(?:surtout )?pas (?:de|d[’']|encore)|surtout pas|interdit|interdiction|arr[êe]te[zr]?|
      je voulais dire|c[’']est faux|plut[ôo]t que|au lieu de|annule[rz]?|laisse[rz]?`,
    demands: `doit|dois|doivent|devez|il faut|toujours|uniquement|seulement|sans|[ée]vite[rz]?|assure|obligatoire|au (?:plus|moins)|
      exactement|avant de|d[ée]sormais|sauf`,
    not: 'je ne (?:sais|comprends|pense|crois|vois) pas|pas de probl[èe]me|est-ce que|parce que|pourquoi|(?:[çc]a|cela|il|elle) ne (?:marche|fonctionne|compile|va|passe|suffit) (?:pas|plus)',
  },
  es: {
    denials: `nunca|jam[áa]s|no (?:debes?|deben|puedes?|se (?:puede|debe)|hace falta)|prohibido|quise decir|quer[íi]a decir|me refer[íi]a|est[áa] mal|
      en (?:lugar|vez) de|deja de|para de|deshaz|revierte|ya no|tampoco|sino`,
    demands: `debes?|deben|siempre|solo|s[óo]lo|solamente|[úu]nicamente|sin|evita|aseg[úu]rate|hay que|tiene(?:s|n)? que|
      como m[áa]ximo|al menos|exactamente|antes de|a partir de ahora|salvo|excepto|obligatorio`,
    not: 'no (?:s[ée]|entiendo|creo|veo|recuerdo)|no hay problema|no importa|no (?:funciona|sirve|va|est[áa]|es|hay|compila|pasa|tengo|encuentro)',
  },
  pt: {
    denials: `nunca|jamais|n[ãa]o (?:deve|pode|devem|podem|precisa)|proibido|quis dizer|queria dizer|est[áa] errado|em vez de|ao inv[ée]s|
      pare de|desfa[çc]a|reverta|sen[ãa]o`,
    demands: `deve|devem|sempre|apenas|só|somente|unicamente|sem|evite|certifique|garanta|tem que|precisa|
      no m[áa]ximo|pelo menos|exatamente|antes de|a partir de agora|exceto|obrigat[óo]rio`,
    not: 'n[ãa]o (?:sei|entendo|acho|vejo|lembro)|n[ãa]o tem problema|n[ãa]o (?:funciona|est[áa]|[ée]|compila|passa|tenho)',
  },
  it: {
    denials: `mai|non (?:devi|deve|devono|puoi|si (?:pu[òo]|deve)|bisogna)|vietato|proibito|intendevo|volevo dire|[èe] sbagliato|
      invece (?:di|che)|smetti|annulla|bens[ìi]`,
    demands: `devi|deve|devono|sempre|solo|soltanto|solamente|unicamente|senza|evita|assicurati|bisogna|occorre|
      al massimo|almeno|esattamente|prima di|d[’']ora in poi|tranne|obbligatorio`,
    not: 'non (?:so|capisco|credo|vedo|ricordo)|non importa|non (?:funziona|va|[èe]|c.è|compila|passa|ho)',
  },
  ru: {
    denials: `никогда|нельзя|запрещ\\p{L}+|не (?:надо|нужно|стоит|трогай\\p{L}*|меняй\\p{L}*|удаляй\\p{L}*|делай\\p{L}*|используй\\p{L}*)|
      перестань\\p{L}*|хватит|стоп|вместо|я имел[а]? в виду|имелось в виду|неправильно|неверно|отмени\\p{L}*|больше не|ни в коем случае`,
    demands: `долж\\p{L}+|обязательно|всегда|только|без|избегай\\p{L}*|убедись|убедитесь|нужно|надо|необходимо|
      не (?:более|больше|менее|меньше)|ровно|прежде чем|отныне|кроме|лишь`,
    not: 'не (?:знаю|понимаю|думаю|вижу|помню|работает|получается|собирается|компилируется|помогло|вышло|проходит)',
  },
  uk: {
    denials: 'ніколи|не (?:можна|чіпай|змінюй|видаляй|роби)\\p{L}*|заборонен\\p{L}*',
    demands: 'завжди|тільки|лише|повин\\p{L}+|обов.язково',
  },
  nl: {
    denials: 'nooit|niet|geen|verboden|blijf .{1,40} af',
    demands: 'altijd|alleen|zonder|moet(?:en)?|zorg dat|uitsluitend',
    not: '(?:werkt|weet|gaat|lukt|klopt)(?: \\p{L}+)? niet|geen (?:idee|probleem)',
  },
  nordic: {
    denials: 'aldrig|aldri|inte|ikke|f[öo]rbjud\\p{L}*|forbud\\p{L}*|l[åa]t bli',
    demands: 'alltid|altid|endast|m[åa]ste|utan|uden|uten',
    not: '(?:fungerar|virker|funker|vet|ved|vil)(?: \\p{L}+)? (?:inte|ikke)',
  },
  fi: { denials: '[äÄ]l[äa]|[äÄ]lk[äa][äa]|ei saa|kielletty', demands: 'aina|ainoastaan|pit[äa][äa]|ilman' },
  pl: {
    denials: 'nigdy|nie (?:wolno|r[óo]b|dotykaj|zmieniaj|usuwaj|u[żz]ywaj|ruszaj)\\p{L}*|zabron\\p{L}+',
    demands: 'zawsze|tylko|wy[łl][ąa]cznie|musi\\p{L}*|bez',
  },
  cs: { denials: 'nikdy|nesm[íi]\\p{L}*|zak[áa]z\\p{L}*', demands: 'v[žz]dy|pouze|mus[íi]\\p{L}*' },
  hu: { denials: 'soha|tilos', demands: 'mindig|csak|kiz[áa]r[óo]lag' },
  ro: {
    denials: 'niciodat[ăa]|nu (?:ai voie|atinge|modifica|[șs]terge|folosi)|interzis',
    demands: '[îi]ntotdeauna|doar|numai|trebuie',
  },
  tr: { denials: 'asla|sak[ıi]n|yasak\\p{L}*', demands: 'her zaman|sadece|yaln[ıi]zca|mutlaka' },
  vi: { denials: 'không bao giờ|đừng|không được|cấm', demands: 'luôn|chỉ|phải|bắt buộc' },
  id: { denials: 'jangan|dilarang|tidak boleh', demands: 'selalu|hanya|harus|wajib' },
  sw: { denials: 'kamwe|usi(?!ng)\\p{L}{4,}|marufuku', demands: 'daima|lazima|kila wakati' },
  el: { denials: 'ποτέ|μην?|δεν πρέπει|απαγορεύ\\p{L}+', demands: 'πάντα|μόνο|πρέπει|χωρίς' },
  ar: { denials: 'أبدا[ً]?|ممنوع|يمنع|إياك|لا ت\\p{L}+', demands: 'يجب|دائما[ً]?|فقط|بدون' },
  fa: { denials: 'هرگز|هیچ‌?وقت|نباید', demands: 'همیشه|باید' },
  he: { denials: 'לעולם|אסור|אל ת\\p{L}+|אין ל\\p{L}+', demands: 'תמיד|רק|חייב\\p{L}*|בלי|ללא' },
  hi: { denials: 'मत|निषिद्ध|वर्जित', demands: 'हमेशा|केवल|सिर्फ' },
};

/** A bare negation at a clause's start: "no new packages", "не трогай", "no toques". With a comma it is an answer. */
export const bareOrders = [`${start}(?:no|nao|não|non|не|ne|nicht|kein\\p{L}*) \\p{L}+`];

export const unspaced: Readonly<Record<string, Language>> = {
  zh: {
    denials:
      '不要|别(?!的|人|名)|不准|不许|不得|禁止|绝不|切勿|请勿|勿|千万|不能(?!通过|编译|运行|工作)|不可以?|不允许|停止|我的意思是|我是说|不是.{1,40}而是|而不是|撤销|撤回|不再',
    demands:
      '必须|一定要|只能|只(?:需|要|用|改|有)|仅|总是|始终|永远|务必|避免|应当|确保|至少|最多|之前不|除非|除了|不超过',
  },
  ja: {
    denials:
      'ないで|しないこと|禁止|決して|絶対|いけな|いけません|ならな|なりません|だめ|ダメ|駄目|やめて|止めて|という意味|のつもり|ではなく|じゃなく|取り消|戻して|不要',
    demands: '必ず|常に|いつも|だけ|のみ|べき|なければな|ようにして|避け|以内|以下|以上|まで(?:に|は)|必要|限り|除い',
  },
  ko: {
    denials:
      '(?:하|지|쓰|바꾸|건드리)지\\s?(?:마|말|않)|지\\s?마|말고|말아|마세요|마십시오|절대|금지|안\\s?됩니다|말한 거|제 말은|내 말은|그게 아니라|대신|멈춰|그만|취소|되돌',
    demands: '반드시|꼭|항상|언제나|오직|(?<!지)만\\s|해야|없이|피해|피하|이내|이하|이상|필요|제외|유지',
  },
  th: { denials: 'ห้าม|อย่า', demands: 'ต้อง|เท่านั้น|เสมอ' },
};
