@rem npm runs the scripts of package.json with sh, on Windows with cmd.exe. "exec" makes node replace sh, so that
@rem signals reach node. cmd.exe has no such command: there it finds this file, which runs the rest of the line.
@%*
