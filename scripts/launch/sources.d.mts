/** A number that is another one when anything is that the console below this folder is built from. Next takes it as the build's id. */
export declare function fingerprintOf(root: string): string;
