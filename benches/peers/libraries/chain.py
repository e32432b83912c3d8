"""An expression as a list of calls with `out=`, one after the other into buffers that are there already.

It is what somebody writes by hand who wants an eager library to allocate nothing: a buffer is used again as soon as
its value is.
"""

import ast

BINARY = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "divide", ast.BitAnd: "and",
          ast.FloorDiv: "floor_divide", ast.Mod: "remainder", ast.Gt: "greater"}


def chain(lets, expression, operands, functions, empty):
    """A function that runs the calls and answers the last buffer.

    `functions` maps names of operations to functions that take `out`; `empty(value)` makes a buffer like a value.
    """
    names = dict(operands)
    steps, free, temporary, kept = [], {}, {}, set()

    def emit(function, args):
        value = functions[function](*args, out=None)
        kind = (tuple(value.shape), value.dtype)
        for arg in args:
            if id(arg) in temporary and id(arg) not in kept:
                free.setdefault(temporary.pop(id(arg)), []).append(arg)
        spare = free.setdefault(kind, [])
        out = spare.pop() if spare else empty(value)
        steps.append((functions[function], args, out))
        functions[function](*args, out=out)
        temporary[id(out)] = kind
        return out

    def walk(node):
        match node:
            case ast.Constant():
                return node.value
            case ast.Name():
                return names[node.id]
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant() as constant):
                return -constant.value
            case ast.UnaryOp(op=ast.USub()):
                return emit("negative", (walk(node.operand),))
            case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=2)):
                return emit("square", (walk(node.left),))
            case ast.BinOp():
                return emit(BINARY[type(node.op)], (walk(node.left), walk(node.right)))
            case ast.Compare():
                return emit(BINARY[type(node.ops[0])], (walk(node.left), walk(node.comparators[0])))
            case ast.Call():
                return emit(node.func.id, tuple(walk(arg) for arg in node.args))
        raise TypeError(f"no such call: {ast.dump(node)}")

    for name, text in lets:
        names[name] = walk(ast.parse(text, mode="eval").body)
        kept.add(id(names[name]))
    last = walk(ast.parse(expression, mode="eval").body)

    def run():
        for function, args, out in steps:
            function(*args, out=out)
        return last

    return run


def evaluated(lets, expression, namespace):
    """A Python function of the operands, from the text of an expression."""
    body = "".join(f"    {name} = {text}\n" for name, text in lets)

    def build(parameters):
        source = f"def kernel({', '.join(parameters)}):\n{body}    return {expression}\n"
        scope = dict(namespace)
        exec(compile(source, "<kernel>", "exec"), scope)
        return scope["kernel"]

    return build
