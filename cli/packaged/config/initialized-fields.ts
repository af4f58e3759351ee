interface Field {
  declare?: boolean;
  definite?: boolean;
}
interface Program {
  traverse(visitor: { ClassProperty(path: { node: Field }): void }): void;
}

/**
 * A plugin for jiti's Babel: `@Column() name!: string` is `@Column() name: string`. Babel's decorators give each field a value
 * before its TypeScript is read, and then refuse fields that are marked with `!`, as entities of TypeORM are.
 */
export const initializedFields = () => ({
  visitor: {
    Program(program: Program): void {
      program.traverse({
        ClassProperty: ({ node }) => {
          if (!node.declare) node.definite = false;
        },
      });
    },
  },
});
