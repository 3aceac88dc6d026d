//! NumPy arrays by the buffer protocol: NumPy itself is imported with the first array, and no crate has to match its version.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicI8, AtomicI32, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

/// A type of array elements.
pub(crate) trait Scalar: Copy + Default + Send + Sync + 'static {
    /// NumPy's name.
    const NAME: &'static str;
    /// Codes of the buffer protocol that mean this type on this platform.
    const CODES: &'static [&'static CStr];
}

impl Scalar for f32 {
    const NAME: &'static str = "float32";
    const CODES: &'static [&'static CStr] = &[c"f", c"<f", c"=f", c"@f"];
}

impl Scalar for f64 {
    const NAME: &'static str = "float64";
    const CODES: &'static [&'static CStr] = &[c"d", c"<d", c"=d", c"@d"];
}

impl Scalar for i64 {
    const NAME: &'static str = "int64";
    const CODES: &'static [&'static CStr] = &[c"l", c"q", c"<q", c"=q", c"@l", c"@q"];
}

impl Scalar for u64 {
    const NAME: &'static str = "uint64";
    const CODES: &'static [&'static CStr] = &[c"L", c"Q", c"<Q", c"=Q", c"@L", c"@Q"];
}

impl Scalar for i32 {
    const NAME: &'static str = "int32";
    const CODES: &'static [&'static CStr] = &[c"i", c"<i", c"=i", c"@i", c"<l", c"=l"];
}

impl Scalar for i16 {
    const NAME: &'static str = "int16";
    const CODES: &'static [&'static CStr] = &[c"h", c"<h", c"=h", c"@h"];
}

impl Scalar for u16 {
    const NAME: &'static str = "uint16";
    const CODES: &'static [&'static CStr] = &[c"H", c"<H", c"=H", c"@H"];
}

impl Scalar for i8 {
    const NAME: &'static str = "int8";
    const CODES: &'static [&'static CStr] = &[c"b", c"<b", c"=b", c"@b"];
}

impl Scalar for u32 {
    const NAME: &'static str = "uint32";
    const CODES: &'static [&'static CStr] = &[c"I", c"<I", c"=I", c"@I", c"<L", c"=L"];
}

impl Scalar for u8 {
    const NAME: &'static str = "uint8";
    const CODES: &'static [&'static CStr] = &[c"B", c"<B", c"=B", c"@B"];
}

/// A byte of a mask that is 0 or 1, in an array of any kind that masks are made of.
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub(crate) struct Mark(u8);

impl Mark {
    pub(crate) const fn is_set(self) -> bool {
        self.0 != 0
    }
}

impl From<bool> for Mark {
    fn from(flag: bool) -> Self {
        Self(u8::from(flag))
    }
}

impl Scalar for Mark {
    const NAME: &'static str = "bool, int8 or uint8";
    const CODES: &'static [&'static CStr] = &[c"?", c"<?", c"=?", c"@?", c"b", c"<b", c"=b", c"@b", c"B", c"<B", c"=B", c"@B"];
}

/// A boolean of NumPy: a byte that is 0 or 1.
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub(crate) struct Flag(u8);

impl From<bool> for Flag {
    fn from(flag: bool) -> Self {
        Self(u8::from(flag))
    }
}

impl Scalar for Flag {
    const NAME: &'static str = "bool";
    const CODES: &'static [&'static CStr] = &[c"?", c"<?", c"=?", c"@?"];
}

/// A type of which arrays are made here.
pub(crate) trait Element: Scalar {
    /// Where NumPy's object for the type is kept, once it was needed.
    fn kept() -> &'static PyOnceLock<Py<PyAny>>;

    /// NumPy's object for the type.
    fn dtype(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
        let kept = Self::kept().get_or_try_init(py, || numpy(py)?.call_method1("dtype", (Self::NAME,)).map(Bound::unbind));
        kept.map(|dtype| dtype.bind(py))
    }
}

macro_rules! elements {
    ($($kind:ty),*) => {$(
        impl Element for $kind {
            fn kept() -> &'static PyOnceLock<Py<PyAny>> {
                static KEPT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
                &KEPT
            }
        }
    )*};
}

elements!(f32, f64, i64, u64, i32, u32, i16, u16, i8, u8, Flag);

fn numpy(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    static NUMPY: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    NUMPY.get_or_try_init(py, || py.import("numpy").map(Bound::unbind)).map(|module| module.bind(py))
}

/// A fresh array that `write` fills; it begins with zeros.
pub(crate) fn new_array<'py, T: Element>(
    py: Python<'py>,
    shape: &[usize],
    write: impl FnOnce(&mut [T]),
) -> PyResult<Bound<'py, PyAny>> {
    static ZEROS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let zeros = ZEROS.get_or_try_init(py, || numpy(py)?.getattr("zeros").map(Bound::unbind))?.bind(py);
    let kind = T::dtype(py)?;
    let array = match shape {
        [one] => zeros.call1((one, kind))?,
        _ => zeros.call1((PyTuple::new(py, shape)?, kind))?,
    };
    let length = shape.iter().product();
    if length > 0 {
        let start = start_of::<T>(&array)?;
        // SAFETY: NumPy has just made the array: it owns its memory, which is C-contiguous, aligned and writable, and holds `length`
        // elements of T, all zero, as was asked for. This thread is attached for the whole time, `write` does not call Python, and
        // nobody else has the array yet.
        write(unsafe { std::slice::from_raw_parts_mut(start, length) });
    }
    Ok(array)
}

/// NumPy's description of an array's memory in C, as far as it is read here.
#[repr(C)]
struct ArrayInterface {
    two: c_int,
    nd: c_int,
    type_kind: c_char,
    item_size: c_int,
    flags: c_int,
    shape: *const isize,
    strides: *const isize,
    data: *mut c_void,
}

/// Where the elements of an array begin: by NumPy's array interface, which costs half of what a buffer does.
fn start_of<T>(array: &Bound<'_, PyAny>) -> PyResult<*mut T> {
    let py = array.py();
    let capsule = array.getattr(intern!(py, "__array_struct__"))?;
    // SAFETY: the capsule of `__array_struct__` holds a pointer to this structure, has no name, and lives to the end of the block.
    unsafe {
        let interface = ffi::PyCapsule_GetPointer(capsule.as_ptr(), std::ptr::null()).cast::<ArrayInterface>();
        if interface.is_null() {
            return Err(PyErr::fetch(py));
        }
        debug_assert!((*interface).two == 2 && (*interface).item_size as usize == size_of::<T>());
        Ok((*interface).data.cast())
    }
}

/// Whether an array holds elements of this type.
pub(crate) fn holds<T: Scalar>(array: &Bound<'_, PyAny>) -> bool {
    PyUntypedBuffer::get(array).is_ok_and(|buffer| T::CODES.contains(&buffer.format()))
}

/// Zeroes the caller's array and lets `write` fill it.
pub(crate) fn fill<T: Scalar>(array: &Bound<'_, PyAny>, shape: &[usize], write: impl FnOnce(&mut [T])) -> PyResult<()> {
    with_elements(array, "out", shape, |elements: &mut [T]| {
        elements.fill(T::default());
        write(elements);
    })
}

fn with_elements<T: Scalar>(array: &Bound<'_, PyAny>, name: &str, shape: &[usize], write: impl FnOnce(&mut [T])) -> PyResult<()> {
    let buffer = view::<T>(array, name, shape)?;
    if buffer.readonly() {
        return Err(PyValueError::new_err(format!("{name}: found a read-only array, expected a writable one")));
    }
    if buffer.item_count() > 0 {
        // SAFETY: the buffer is C-contiguous, writable, of `item_count` elements of T (checked by `view`), aligned (checked there),
        // and stays alive while `buffer` does. This thread is attached for the whole time and `write` does not call Python, so
        // nobody else of this interpreter reads or writes it.
        let elements = unsafe { std::slice::from_raw_parts_mut(buffer.buf_ptr().cast::<T>(), buffer.item_count()) };
        write(elements);
    }
    Ok(())
}

/// An element that two threads may write and read at once.
pub(crate) trait Shared: Element {
    /// The atomic of the same size.
    type Atomic: Send + Sync + 'static;
}

macro_rules! shared {
    ($($kind:ty => $atomic:ty),* $(,)?) => {$(
        impl Shared for $kind {
            type Atomic = $atomic;
        }
        const _: () = assert!(size_of::<$kind>() == size_of::<$atomic>());
    )*};
}

shared!(
    f32 => AtomicU32, u32 => AtomicU32, i32 => AtomicI32, u64 => AtomicU64, i8 => AtomicI8, u8 => AtomicU8, Flag => AtomicU8
);

/// An array whose memory is written for as long as this lives, also while Python runs.
#[derive(Debug)]
pub(crate) struct Export<T> {
    array: Py<PyAny>,
    buffer: PyUntypedBuffer,
    kind: PhantomData<fn() -> T>,
}

impl<T: Shared> Export<T> {
    /// The caller's array, which has to fit, or a fresh one of zeros.
    pub(crate) fn new(py: Python<'_>, name: &str, given: Option<Bound<'_, PyAny>>, shape: &[usize]) -> PyResult<Self> {
        let array = match given {
            Some(array) => array,
            None => new_array::<T>(py, shape, |_| {})?,
        };
        let buffer = view::<T>(&array, name, shape)?;
        if buffer.readonly() {
            return Err(PyValueError::new_err(format!("{name}: found a read-only array, expected a writable one")));
        }
        Ok(Self { array: array.unbind(), buffer, kind: PhantomData })
    }

    /// The array.
    pub(crate) fn array<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.array.bind(py).clone()
    }

    /// Its elements, for any thread.
    pub(crate) fn elements(&self) -> &[T::Atomic] {
        if self.buffer.item_count() == 0 {
            return &[];
        }
        // SAFETY: the buffer is C-contiguous, writable, aligned and of `item_count` elements of T (checked by `view`), whose atomic has
        // the same size and, on the processors that the package is built for, the same alignment (checked here). It is exported, and
        // so stays where it is, while `self` lives. Everybody in Rust uses atomics on it, and no reference to plain elements exists.
        unsafe {
            let start = self.buffer.buf_ptr().cast::<T::Atomic>();
            assert!(start.is_aligned(), "an array that is aligned for its elements");
            std::slice::from_raw_parts(start, self.buffer.item_count())
        }
    }
}

/// The elements of an array of this shape; anything else is refused by name.
pub(crate) fn read<T: Scalar>(array: &Bound<'_, PyAny>, name: &str, shape: &[usize]) -> PyResult<Vec<T>> {
    let buffer = view::<T>(array, name, shape)?;
    if buffer.item_count() == 0 {
        return Ok(Vec::new());
    }
    // SAFETY: as in `with_elements`; the elements are only read.
    let elements = unsafe { std::slice::from_raw_parts(buffer.buf_ptr().cast::<T>(), buffer.item_count()) };
    Ok(elements.to_vec())
}

fn view<T: Scalar>(array: &Bound<'_, PyAny>, name: &str, shape: &[usize]) -> PyResult<PyUntypedBuffer> {
    let wanted = || format!("a C-contiguous array of {} of shape {}", T::NAME, written(shape));
    let buffer = PyUntypedBuffer::get(array).map_err(|error| {
        let py = array.py();
        let is_refusal = error.is_instance_of::<PyTypeError>(py)
            || error.is_instance_of::<PyBufferError>(py)
            || error.is_instance_of::<PyValueError>(py);
        if !is_refusal {
            return error;
        }
        match array.get_type().name() {
            Ok(kind) => PyTypeError::new_err(format!("{name}: found {kind}, expected {}", wanted())),
            Err(error) => error,
        }
    })?;
    let fits = T::CODES.contains(&buffer.format()) && buffer.item_size() == size_of::<T>();
    if !fits || buffer.shape() != shape {
        let found = match array.getattr_opt("dtype")? {
            Some(dtype) => dtype.str()?.to_string_lossy().into_owned(),
            None => format!("format {}", buffer.format().to_string_lossy()),
        };
        let message = format!("{name}: found {found} of shape {}, expected {}", written(buffer.shape()), wanted());
        return Err(PyValueError::new_err(message));
    }
    if !buffer.is_c_contiguous() || !buffer.buf_ptr().cast::<T>().is_aligned() {
        return Err(PyValueError::new_err(format!("{name}: found an array with gaps, expected {}", wanted())));
    }
    Ok(buffer)
}

/// A shape as Python writes it.
fn written(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => format!("({})", shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Bytes of a vector that NumPy looks at without a copy; the vector can be taken back once nobody looks any more.
#[pyclass(module = "forbidden_games._rust", frozen)]
#[derive(Debug)]
pub(crate) struct Lent {
    bytes: Mutex<LentBytes>,
    views: AtomicUsize,
}

#[derive(Debug)]
enum LentBytes {
    Floats(Vec<f32>),
    Bytes(Vec<u8>),
}

impl Lent {
    /// Lends floats as an array of this shape.
    pub(crate) fn floats<'py>(
        py: Python<'py>,
        floats: Vec<f32>,
        shape: (usize, usize),
    ) -> PyResult<(Bound<'py, Self>, Bound<'py, PyAny>)> {
        Self::lend(py, LentBytes::Floats(floats), "float32", shape)
    }

    /// Lends booleans, as bytes that are 0 or 1, as an array of this shape.
    pub(crate) fn flags<'py>(
        py: Python<'py>,
        flags: Vec<u8>,
        shape: (usize, usize),
    ) -> PyResult<(Bound<'py, Self>, Bound<'py, PyAny>)> {
        Self::lend(py, LentBytes::Bytes(flags), "bool", shape)
    }

    fn lend<'py>(
        py: Python<'py>,
        bytes: LentBytes,
        kind: &str,
        shape: (usize, usize),
    ) -> PyResult<(Bound<'py, Self>, Bound<'py, PyAny>)> {
        let lent = Bound::new(py, Self { bytes: Mutex::new(bytes), views: AtomicUsize::new(0) })?;
        let array = numpy(py)?.call_method1("frombuffer", (&lent, kind))?.call_method1("reshape", (shape,))?;
        Ok((lent, array))
    }

    /// The floats, if nobody looks at them any more.
    pub(crate) fn take_floats(&self) -> Option<Vec<f32>> {
        match &mut *self.bytes.lock().unwrap_or_else(PoisonError::into_inner) {
            LentBytes::Floats(floats) if self.views.load(Ordering::Acquire) == 0 => Some(std::mem::take(floats)),
            _ => None,
        }
    }
}

#[pymethods]
impl Lent {
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        if view.is_null() {
            return Err(PyBufferError::new_err("no place for the view"));
        }
        let lent = slf.get();
        let mut bytes = lent.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let (start, length) = match &mut *bytes {
            LentBytes::Floats(floats) => (floats.as_mut_ptr().cast(), size_of_val(floats.as_slice())),
            LentBytes::Bytes(bytes) => (bytes.as_mut_ptr().cast(), bytes.len()),
        };
        // SAFETY: `view` is a place for a view that the interpreter gave; the memory belongs to `slf`, which the view keeps alive,
        // and is neither moved nor freed while `views` is above 0, since only `take_floats` touches it.
        let result = unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start, length as ffi::Py_ssize_t, 0, flags) };
        if result != 0 {
            return Err(PyErr::fetch(slf.py()));
        }
        lent.views.fetch_add(1, Ordering::AcqRel);
        Ok(())
    }

    unsafe fn __releasebuffer__(&self, _view: *mut ffi::Py_buffer) {
        self.views.fetch_sub(1, Ordering::AcqRel);
    }
}
