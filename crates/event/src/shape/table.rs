//! What a row of the table says.

use super::Version;

/// An object that the protocol closes: its members, one row each, and no others.
///
/// ```
/// use conform_event::EventType;
/// use conform_event::shape::{Kind, Version, event_shape};
/// let shape = event_shape(EventType::StepStarted);
/// let (_, row) = shape.field("stepName", Version::V1_0).unwrap();
/// assert!(row.required && matches!(row.kind, Kind::Text));
/// assert_eq!(shape.fields(Version::V1_0).count(), 6);
/// ```
#[derive(Debug)]
pub struct Shape {
    /// The name of the schema's definition.
    pub name: &'static str,
    /// The rows: those that it shares with others, then its own.
    pub rows: [&'static [Field]; 3],
}

/// One member of a [`Shape`].
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The member's name on the wire.
    pub name: &'static str,
    /// Whether it may not be left out.
    pub required: bool,
    /// What its value may be.
    pub kind: Kind,
    /// The first version that describes it.
    pub since: Version,
}

/// What a value may be.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Any JSON value; null only in a required member.
    Any,
    /// A string.
    Text,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// A whole number from the first to the second.
    Integer(i64, i64),
    /// `true` or `false`.
    Flag,
    /// An object that is open by key.
    Open,
    /// An object of this shape.
    Object(&'static Shape),
    /// An object of one of several shapes.
    Variant(&'static Union),
    /// An array of such values.
    List(&'static Kind),
    /// An array of one such value at least, and the requirement that says so.
    Filled(&'static Kind, &'static str),
    /// A string, or an array of such values.
    TextOrList(&'static Kind),
    /// A JSON patch. What an operation says is judged elsewhere, by the requirement
    /// `state/patch-well-formed`; here it must be an array of objects.
    Patch,
    /// The string that chose this shape in its [`Union`] or among the events.
    Tag,
    /// No member of this shape, and a requirement of its own says so.
    Barred(&'static str),
}

/// Shapes of which a member of the object names one.
#[derive(Debug)]
pub struct Union {
    /// The name of the schema's definition.
    pub name: &'static str,
    /// The member that names the shape.
    pub tag: &'static str,
    /// The values of that member, and what each stands for.
    pub shapes: &'static [(&'static str, &'static Shape)],
}

impl Shape {
    pub(super) const fn of(name: &'static str, own: &'static [Field]) -> Self {
        Self { name, rows: [&[], &[], own] }
    }

    /// The rows that a version describes, those not allowed ([`Kind::Barred`]) left out.
    pub fn fields(&self, version: Version) -> impl Iterator<Item = &'static Field> {
        self.rows
            .into_iter()
            .flatten()
            .filter(move |f| f.since <= version && !matches!(f.kind, Kind::Barred(_)))
    }

    /// The row of a member and its place among all rows.
    pub fn field(&self, name: &str, version: Version) -> Option<(usize, &'static Field)> {
        let mut rows = self.rows.into_iter().flatten().enumerate();
        rows.find(|(_, field)| field.name == name && field.since <= version)
    }
}

impl Field {
    /// Whether null is a value of this member.
    ///
    /// ```
    /// use conform_event::EventType;
    /// use conform_event::shape::{Version, event_shape};
    /// let nullable = |event_type, name| {
    ///     event_shape(event_type).field(name, Version::V1_0).unwrap().1.nullable()
    /// };
    /// assert!(nullable(EventType::Custom, "value"));
    /// assert!(!nullable(EventType::Custom, "rawEvent"));
    /// ```
    pub fn nullable(&self) -> bool {
        self.required && matches!(self.kind, Kind::Any)
    }

    pub(super) const fn since(self, since: Version) -> Self {
        Self { since, ..self }
    }
}

/// The row of a member that may not be left out.
pub(super) const fn must(name: &'static str, kind: Kind) -> Field {
    Field { name, required: true, kind, since: Version::V1_0 }
}

/// The row of a member that may be left out.
pub(super) const fn may(name: &'static str, kind: Kind) -> Field {
    Field { name, required: false, kind, since: Version::V1_0 }
}
