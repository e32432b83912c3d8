//! Names that mean something elsewhere. A name is one of ours here, or the report says the code to write.

use crate::check::infer::Ctx;
use crate::check::infer::functions::bundled_functions;
use crate::check::infer::functions::closure::Closure;
use crate::check::infer::values::literal;
use crate::check::infer::values::value::{NodeValue, Value};
use crate::check::report::{self, ForeignName};
use crate::constant::Const;
use crate::diagnostic::{Diagnostic, suggest};
use crate::ops::elsewhere::modules::{self, Meaning};
use crate::ops::elsewhere::positional::{self, ArgumentPlace};
use crate::ops::elsewhere::{self, BracketItem, CallForm, Counterpart, ElsewhereRow, TemplateArgument};
use crate::ops::{self, Op, Role};
use crate::promotion::systems::System;
use crate::source::Span;
use crate::syntax::ast::{Arg, ExprId, ExprKind, Index, Name, StmtKind};
use crate::types::{DType, Elem};
use std::borrow::Cow;
use std::str::FromStr;
use std::sync::Arc;

/// A call as it is written, of a function or a method.
pub(in crate::check) struct WrittenCall<'s> {
    /// What stands before the dot of a method.
    pub(in crate::check) first: Option<ExprId>,
    pub(in crate::check) args: &'s [Arg],
    pub(in crate::check) span: Span,
}

/// The function that a name from elsewhere is with these arguments, where its code gives the same whatever they are.
fn meaning(row: &ElsewhereRow, arguments: &[TemplateArgument]) -> Option<Arc<Closure>> {
    match row.becomes {
        Counterpart::Code { forms, exact: true, .. } => {
            bundled_functions::function(elsewhere::fitting(forms, arguments)?)
        }
        Counterpart::Same(_) | Counterpart::Code { .. } | Counterpart::Missing(_) | Counterpart::Advice(_) => None,
    }
}

impl Ctx<'_> {
    /// The words before the last dot of `np.linalg.norm`, where the first of them is no name of the program.
    fn path(&self, base: ExprId) -> Option<String> {
        self.frame.script.dotted_name(base, |name| !self.is_bound(name))
    }

    /// What an attribute means that is one of a module, or a name with dots elsewhere.
    pub(in crate::check) fn meaning_of_path(&self, base: ExprId, name: &str) -> Option<Meaning> {
        modules::meaning(&self.path(base)?, name)
    }

    /// The arguments of a call. Behind a module with NumPy's functions, as in `np.`, a positional argument that NumPy
    /// takes at another place than `arr` gets NumPy's keyword.
    pub(in crate::check) fn in_our_order<'a>(&self, callee: ExprId, args: &'a [Arg]) -> Cow<'a, [Arg]> {
        let script = self.frame.script;
        let ExprKind::Attribute(base, name) = &script.expr(callee).kind else { return self.with_order(callee, args) };
        let order = self.path(*base).and_then(|path| positional::order(&path, &name.text));
        // Of arguments that are too many, none is moved to where it would be taken.
        let positional = args.iter().filter(|arg| arg.name.is_none()).count();
        let Some(order) = order.filter(|order| order.takes(positional)) else { return self.with_order(callee, args) };
        let place = |(index, arg): (usize, &Arg)| {
            let span = script.expr(arg.value).span;
            let keyword = match order.place(index, self.text(span)) {
                _ if arg.name.is_some() => arg.name.clone(),
                ArgumentPlace::Same => None,
                ArgumentPlace::Keyword(text) => Some(Name { text: text.to_owned(), span }),
                ArgumentPlace::Needless => return None,
            };
            Some(Arg { name: keyword, value: arg.value })
        };
        Cow::Owned(args.iter().enumerate().filter_map(place).collect())
    }

    /// The arguments of a call, where a text behind lengths is the `order` that NumPy has there:
    /// `x.reshape((3, 2), "F")`.
    fn with_order<'a>(&self, callee: ExprId, args: &'a [Arg]) -> Cow<'a, [Arg]> {
        let script = self.frame.script;
        let has_lengths =
            |name: &str| ops::by_name(name).is_some_and(|op| op.params.iter().any(|param| param.role == Role::Sizes));
        let name = script.expr(callee).last_name().filter(|(name, _)| has_lengths(name) && !self.is_bound(name));
        let last = args.iter().rposition(|arg| arg.name.is_none()).filter(|at| *at > 0 && name.is_some());
        let Some(at) = last.filter(|at| matches!(script.expr(args[*at].value).kind, ExprKind::Str(_))) else {
            return Cow::Borrowed(args);
        };
        let mut args = args.to_vec();
        args[at].name = Some(Name { text: "order".to_owned(), span: script.expr(args[at].value).span });
        Cow::Owned(args)
    }

    /// Whether functions of the module that an expression names give numbers of Python.
    pub(in crate::check) fn gives_numbers(&self, base: ExprId) -> bool {
        self.path(base).and_then(|path| modules::find(&path)).is_some_and(|module| module.numbers)
    }

    /// A number of Python, where a scalar has the dtype of one: `math.sqrt(2)` takes the dtype that it meets.
    pub(in crate::check) fn python_number(&self, value: Value) -> Value {
        let Value::Computed(NodeValue { node, elem: Elem::Strong(dtype), origin, arms }) = value else { return value };
        let weak = System::weak_of(dtype.kind());
        if !self.graph.builder.shape(node).is_empty() || !weak.is_weak() || self.settings.harden(weak) != dtype {
            return Value::Computed(NodeValue { node, elem: dtype.into(), origin, arms });
        }
        match self.graph.builder.as_constant(node) {
            Some(scalar) => Value::Const(literal::weak_constant(scalar)),
            None => Value::Computed(NodeValue { node, elem: weak, origin, arms }),
        }
    }

    /// What to say of a name behind a module where one of ours is nearly the same.
    pub(in crate::check) fn slip_in_module(&self, base: ExprId, name: &str, at: Span) -> Option<Diagnostic> {
        let part = modules::part_without(&self.path(base)?, name).filter(|_| !self.is_known(name))?;
        let in_part = |op: &'static Op| op.name.strip_prefix(part)?.strip_prefix('.');
        let near = suggest::closest(name, ops::all().filter_map(in_part))?;
        Some(report::unknown_function(self.text(at), Some(&format!("{part}.{near}")), false, at))
    }

    /// Whether the program gives something to the name, or somebody outside.
    pub(in crate::check) fn is_bound(&self, name: &str) -> bool {
        let stated = |stmt: &crate::syntax::ast::Stmt| {
            let StmtKind::Input { name: own, .. } = &stmt.kind else { return false };
            own.text == name
        };
        self.frame.scope.find(name).is_some()
            || self.frame.dims.contains_key(name)
            || self.calls.unit.has_function(name)
            || self.request.env.is_some_and(|env| env.get(name).is_some())
            || self.request.given.bound.contains_key(name)
            || self.request.given.declared.iter().flat_map(|script| &script.stmts).any(stated)
    }

    /// Whether a name means something by itself.
    pub(in crate::check) fn is_known(&self, name: &str) -> bool {
        self.is_bound(name)
            || ops::by_name(name).is_some()
            || DType::from_str(name).is_ok()
            || ops::constants::find(name).is_some()
    }

    /// What one of our names stands for.
    pub(in crate::check) fn own(name: &str) -> Option<Value> {
        if name == "None" {
            return Some(Value::None);
        }
        let dtype = DType::from_str(name).ok().map(Value::DType);
        let op = || ops::by_name(name).map(Value::Builtin);
        let constant = || ops::constants::find(name).map(|constant| Value::Const(Const::float(constant.value)));
        dtype.or_else(op).or_else(constant)
    }

    /// A name from elsewhere that is called: the function that it is here, or a message with the code to write.
    pub(in crate::check) fn foreign_function(
        &mut self,
        row: &'static ElsewhereRow,
        name: &str,
        call: &WrittenCall,
        at: Span,
    ) -> Value {
        if let Counterpart::Same(ours) = row.becomes
            && let Some(value) = Self::own(ours)
        {
            return value;
        }
        let texts: Vec<(Option<String>, String)> = call
            .first
            .map(|id| (None, id))
            .into_iter()
            .chain(call.args.iter().map(|arg| (arg.name.as_ref().map(|name| name.text.clone()), arg.value)))
            .map(|(name, id)| (name, self.text(self.frame.script.expr(id).span).to_owned()))
            .collect();
        let arguments: Vec<TemplateArgument> =
            texts.iter().map(|(name, text)| TemplateArgument { name: name.as_deref(), text }).collect();
        // `math.log(x)` is ours, `math.log(x, 2)` is not.
        let last = name.rsplit('.').next().unwrap_or(name);
        if let Counterpart::Code { forms, .. } = row.becomes
            && let Some(form) = elsewhere::fitting(forms, &arguments).filter(|_| call.first.is_none())
            && form.code == format!("{last}({})", form.params)
            && let Some(value) = Self::own(last)
        {
            return value;
        }
        if let Some(function) = meaning(row, &arguments) {
            return Value::Function(function);
        }
        let written = match row.becomes {
            Counterpart::Code { forms, .. } => elsewhere::written(forms, &arguments),
            Counterpart::Same(_) | Counterpart::Missing(_) | Counterpart::Advice(_) => None,
        };
        if let (Counterpart::Code { forms, note, .. }, None) = (row.becomes, &written)
            && let Some(index) = elsewhere::stray(forms, &arguments)
        {
            return self.stray((forms, note), (name, call), &arguments, index);
        }
        let alone = self.stands_alone(call.span);
        self.error(report::foreign_call(ForeignName { row, name, written, alone, span: call.span, at }))
    }

    /// Refuses a method that means something else of PyTorch's tensors, where the system is PyTorch's.
    pub(in crate::check) fn refused_of_tensors(
        &mut self,
        base: ExprId,
        name: &Name,
        args: &[Arg],
        span: Span,
    ) -> Option<Value> {
        if !self.settings.system.checks.tensors || span.source.is_library() || self.is_bound(&name.text) {
            return None;
        }
        let row = elsewhere::find(&format!("tensor.{}", name.text))?;
        let Counterpart::Code { forms, note, .. } = row.becomes else { return None };
        let text = |id: ExprId| self.text(self.frame.script.expr(id).span);
        let first = TemplateArgument { name: None, text: text(base) };
        let given = |arg: &Arg| (arg.name.as_ref().map(|name| name.text.clone()), text(arg.value));
        let others: Vec<(Option<String>, &str)> = args.iter().map(given).collect();
        let others = others.iter().map(|(name, text)| TemplateArgument { name: name.as_deref(), text });
        let arguments: Vec<TemplateArgument> = std::iter::once(first).chain(others).collect();
        let code = elsewhere::written(forms, &arguments)?;
        Some(self.error(report::method_of_tensors(&name.text, &code, note, name.span)))
    }

    /// Refuses an argument for which the code of a name has no place.
    fn stray(
        &mut self,
        (forms, note): (&'static [CallForm], &str),
        (name, call): (&str, &WrittenCall),
        arguments: &[TemplateArgument],
        index: usize,
    ) -> Value {
        let last = name.rsplit('.').next().unwrap_or(name);
        let first = arguments.first().filter(|first| first.name.is_none()).map_or("x", |first| first.text);
        let others: Vec<(&str, String)> =
            arguments.iter().skip(1).map(|it| (it.name.unwrap_or_default(), it.text.to_owned())).collect();
        let keyword = arguments[index].name;
        let advice = keyword.and_then(|keyword| elsewhere::keyword_advice(last, first, &others, keyword));
        // What is told of a tuple of so many parts is told where there are more.
        let counted = |form: &CallForm| form.params().nth(index).is_some_and(|(param, _)| form.parts(param).is_some());
        let advice = advice.or_else(|| forms.iter().any(counted).then(|| note.to_owned()));
        let id = match call.first {
            Some(first) if index == 0 => first,
            Some(_) => call.args[index - 1].value,
            None => call.args[index].value,
        };
        let span = self.frame.script.expr(id).span;
        self.error(report::stray_argument(forms, name, (keyword, arguments.len()), advice, span))
    }

    /// Whether any expression may stand at this place without parentheses.
    pub(in crate::check) fn stands_alone(&self, span: Span) -> bool {
        let text = &self.request.sources.get(span.source).text;
        elsewhere::stands_alone(&text[..span.start as usize], &text[span.end as usize..])
    }

    /// A name from elsewhere that is not called.
    pub(in crate::check) fn foreign_value(&mut self, row: &'static ElsewhereRow, name: &str, span: Span) -> Value {
        match (row.becomes, meaning(row, &[])) {
            (Counterpart::Same(ours), _) => match Self::own(ours) {
                Some(value) => value,
                None => Value::Error,
            },
            (_, Some(constant)) => self.call_function(&constant, Vec::new(), span, span),
            _ => self.error(report::foreign_name(row, name, span)),
        }
    }

    /// A name from elsewhere with brackets behind it that make arrays: `np.mgrid[0:3, 0:4]`.
    pub(in crate::check) fn foreign_brackets(&mut self, base: ExprId, index: &[Index]) -> Option<Value> {
        let script = self.frame.script;
        let ExprKind::Attribute(module, name) = &script.expr(base).kind else { return None };
        let Some(Meaning::Row(row)) = self.meaning_of_path(*module, &name.text) else { return None };
        let mut numbers = Vec::with_capacity(index.len());
        for index in index {
            numbers.push(matches!(index, Index::At(id) if self.is_number(*id)));
        }
        let text = |id: ExprId| self.text(script.expr(id).span);
        let item = |(index, is_number): (&Index, bool)| match *index {
            Index::At(id) if is_number => Some(BracketItem::Number(text(id))),
            Index::At(id) => Some(BracketItem::At(text(id))),
            Index::Slice(start, stop, step, _) => {
                Some(BracketItem::Slice { start: start.map(text), stop: stop.map(text), step: step.map(text) })
            }
            Index::Ellipsis(_) | Index::NewAxis(_) => None,
        };
        let items: Vec<BracketItem> = index.iter().zip(numbers).map(item).collect::<Option<_>>()?;
        let code = elsewhere::code_of_brackets(&name.text, &items)?;
        let at = script.expr(base).span;
        let name = self.text(at).to_owned();
        Some(self.error(report::foreign_brackets(row, &name, &code, at)))
    }

    /// Whether an expression is a number, and no array.
    fn is_number(&mut self, id: ExprId) -> bool {
        let value = self.infer(id);
        matches!(value, Value::Dim(_)) || self.shape_of(&value).is_some_and(|shape| shape.is_empty())
    }

    /// An attribute of arrays elsewhere: `x.mT`, `x.loc`.
    pub(in crate::check) fn foreign_attribute(
        &mut self,
        (base, value): (ExprId, Value),
        name: &str,
        span: Span,
        at: Span,
    ) -> Option<Value> {
        let row = elsewhere::find(&format!(".{name}"))?;
        let base = self.frame.script.expr(base).span;
        let text = self.text(base);
        if let Some(function) = meaning(row, &[TemplateArgument { name: None, text }]) {
            return Some(self.call_function(&function, vec![Some((value, base))], span, at));
        }
        let written = match row.becomes {
            Counterpart::Code { forms, .. } => elsewhere::written(forms, &[TemplateArgument { name: None, text }]),
            Counterpart::Same(_) | Counterpart::Missing(_) | Counterpart::Advice(_) => None,
        };
        let alone = self.stands_alone(span);
        Some(self.error(report::foreign_attribute(ForeignName { row, name, written, alone, span, at })))
    }

    /// What a name that stands alone is elsewhere. A word that is neither called nor an argument may be anybody's
    /// variable, so a row answers only with what cannot be one.
    pub(in crate::check) fn foreign_name(&mut self, name: &str, span: Span) -> Option<Value> {
        if matches!(name, "float" | "int" | "complex") && self.is_argument(span) {
            return Some(self.error(report::foreign_dtype(name, span)));
        }
        let row = elsewhere::find(name)?;
        // `x.astype(str)`
        if name == "str" && self.is_argument(span) {
            return Some(self.error(report::foreign_name(row, name, span)));
        }
        match row.becomes {
            Counterpart::Same(ours) if matches!(ours, "inf" | "nan" | "None") || self.is_argument(span) => {
                Self::own(ours)
            }
            Counterpart::Same(_) | Counterpart::Code { .. } | Counterpart::Missing(_) | Counterpart::Advice(_) => None,
        }
    }

    /// Whether an expression is an argument as it stands: a function or a dtype may be meant.
    fn is_argument(&mut self, span: Span) -> bool {
        self.uses().arguments.contains(&span)
    }

    /// The functions that could be called with these arguments: for proposals.
    pub(in crate::check) fn callable_names(&self, call: &WrittenCall) -> Vec<String> {
        let positional = usize::from(call.first.is_some()) + call.args.iter().filter(|arg| arg.name.is_none()).count();
        let named: Vec<&str> =
            call.args.iter().filter_map(|arg| arg.name.as_ref()).map(|name| name.text.as_str()).collect();
        let fits = |params: &[(&str, bool)], open: bool| {
            let required = params.iter().filter(|(_, optional)| !optional).count();
            let known = named.iter().all(|name| params.iter().any(|(param, _)| param == name));
            known && required <= positional + named.len() && (open || positional <= params.len())
        };
        let builtin = |op: &&Op| {
            let params: Vec<(&str, bool)> =
                op.params.iter().map(|param| (param.name, param.default.is_some())).collect();
            fits(&params, op.params.iter().any(|param| param.role.is_variadic()))
        };
        let builtins = ops::all().filter(builtin).map(|op| op.name.to_owned());
        let casts = DType::ALL.into_iter().filter(|_| positional == 1 && named.is_empty());
        let own = self.calls.unit.closures().into_iter().filter(|closure| {
            let params = &closure.function().params;
            let params: Vec<(&str, bool)> =
                params.iter().map(|param| (param.name.text.as_str(), param.default.is_some())).collect();
            fits(&params, false)
        });
        let own = own.map(|closure| closure.function().name.text.clone());
        let values = self.frame.scope.names().filter(|name| {
            self.frame
                .scope
                .find(name)
                .is_some_and(|binding| matches!(binding.value, Value::Function(_) | Value::Builtin(_)))
        });
        let values = values.map(str::to_owned);
        builtins.chain(casts.map(|dtype| dtype.name().to_owned())).chain(own).chain(values).collect()
    }
}
