@rem npm runs a script by sh or, on Windows, by cmd, which lacks the exec that lets signals reach node.
@%*
