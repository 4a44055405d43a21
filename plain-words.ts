/** Words that readers have to think about in comments, test titles and documents, each with what to write instead. */
export const instead: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bnobody\b/gi, '"no one", or the condition'],
  [/\bwho(?:so)?ever\b/gi, 'the role, such as "the caller" or "the owner"'],
  [/\bwhatever\b/gi, '"any", or "regardless of"'],
  [/\btold\b/gi, '"notified", "sent" or "shown"'],
  [/\btells? of\b/gi, '"reports" or "shows"'],
  [/\b(?:stands|lies under)\b/gi, '"is", "represents" or "is stored below"'],
  [/\bno news\b/gi, '"no new records" or "no error"'],
  [/\b(?:is|are|was|were) to be\b/gi, '"must be" or "will be"'],
  [/\bmeant\b/gi, '"intended", or the name of the thing'],
  [/\bof before\b/gi, '"previous" or "former"'],
  [/\bof (?:its|their) own\b/gi, '"its own" before the noun, or "separate"'],
  [/\blearns?\b/gi, '"receives" or "detects"'],
  [/\bwish(?:es)?\b/gi, '"wants" of people, "requests" of programs'],
  [/\b(?:some|any|every)body\b/gi, '"someone", "anyone" or "everyone"'],
  [/(?<!round[ -]|\.)\btrips?\b/gi, '"round trip"'],
  [/\bfor (?:ever|good)\b/gi, '"permanently"'],
  [/\bin spite of\b/gi, '"despite"'],
  [/\bboth (?:ends )?included\b/gi, '"both inclusive"'],
  [/\ball the same\b/gi, '"nevertheless" or "still"'],
];

interface Node {
  readonly type: string;
  readonly range: readonly [from: number, to: number];
}

/** The part of oxlint's context that the rule uses. */
interface Context {
  readonly sourceCode: {
    readonly getText: (node: Node) => string;
    readonly getAllComments: () => readonly Node[];
    readonly getLocFromIndex: (index: number) => object;
  };
  readonly report: (problem: { readonly loc: object; readonly message: string }) => void;
}

/** Reports these words in a comment or title, except in code between backticks. */
function check({ sourceCode, report }: Context, node: Node): void {
  const text = sourceCode.getText(node).replaceAll(/(?<!^)`[^`\n]*`/g, (code) => ' '.repeat(code.length));
  for (const [word, better] of instead) {
    for (const { 0: found, index } of text.matchAll(word)) {
      const [start, end] = [index, index + found.length].map((at) => sourceCode.getLocFromIndex(node.range[0] + at));
      report({ loc: { start, end }, message: `Instead of "${found}", write ${better}.` });
    }
  }
}

const plain = {
  create: (context: Context) => ({
    Program: () => context.sourceCode.getAllComments().forEach((comment) => check(context, comment)),
    CallExpression({
      callee,
      arguments: [title],
    }: {
      readonly callee: Node;
      readonly arguments: readonly Node[];
    }): void {
      if (!title?.type.endsWith('Literal')) return;
      if (/^(?:describe|it|test)\b/.test(context.sourceCode.getText(callee))) check(context, title);
    },
  }),
};

export default { meta: { name: 'words' }, rules: { plain } };
