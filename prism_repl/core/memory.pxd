from libc.stdlib cimport calloc, malloc, realloc, free
from libc.string cimport memset, memcpy
from cpython.exc cimport PyErr_CheckSignals
from prism_repl.core.areas cimport *
from prism_repl.core.cells cimport *

cdef int put_entry(long long* table, long long mask, long long h, long long c) noexcept

cdef class Memory:
    cdef public bint interrupted
    cdef public object watcher
    # heap and trail
    cdef long long* heap
    cdef public long long heap_size, heap_limit, H, HB
    cdef long long* trail
    cdef public long long trail_size, TR
    # scratch stacks of the term walkers
    cdef long long* work
    cdef public long long work_size, wtop
    cdef long long* image
    cdef long long* boxes
    cdef public long long image_size, image_top, boxes_size, boxes_top
    cdef public bint image_shared
    # the ground store and its hash table
    cdef long long* store
    cdef public long long store_size, store_top
    cdef long long* store_hash
    cdef public long long store_mask, store_count
    cdef public long long store_number  # changes whenever addresses in the store do
    cdef long long* log
    # those that came since a search began or was swept; the hash table of these, and the cells in their order
    cdef public long long young_store, young_mask, young_count
    cdef long long* young_hash
    cdef public long long log_size, log_top, entry_cell
    # atoms and functors
    cdef public list atom_texts
    cdef public dict atom_ids
    cdef long long* char_atoms
    cdef public dict functor_ids
    cdef long long* known_functors
    cdef long long* functor_name
    cdef long long* functor_arity
    cdef public long long functor_count, functor_size
    cdef public long long nil, list_functor, comma_functor

    cpdef long long atom(self, str text)
    cdef long long char_atom(self, long long code) except -1
    cpdef str atom_text(self, long long c)
    cpdef long long functor(self, long long name, long long arity)
    cpdef long long functor_name_of(self, long long f)
    cpdef long long functor_arity_of(self, long long f)
    cpdef long long int_cell(self, object value)
    cpdef long long float_cell(self, double value)
    cpdef object int_value(self, long long c)
    cpdef double float_value(self, long long c)
    cpdef object number_value(self, long long c)
    cdef long long box_index(self, long long c) noexcept nogil
    cdef long long* box_area(self, long long c) noexcept nogil
    cpdef bint is_float(self, long long c)
    cpdef bint is_big(self, long long c)
    cpdef bint is_integer(self, long long c)
    cpdef bint is_number(self, long long c)
    cpdef bint is_atomic(self, long long c)
    cpdef bint is_callable(self, long long c)
    cpdef bint is_list_cell(self, long long c)
    cpdef bint is_compound(self, long long c)

    cdef int check_interrupt(self) except -1
    cdef int room(self, long long n) except -1
    cdef int trail_room(self, long long n) except -1
    cdef int work_room(self, long long n) except -1
    cpdef long long deref(self, long long c) noexcept
    cpdef int bind(self, long long c, long long value) except -1
    cpdef int undo_to(self, long long mark) noexcept
    cpdef long long new_var(self) except -1
    cpdef long long cons(self, long long head, long long tail) except -1
    cpdef long long new_struct(self, long long f, object args) except -1
    cpdef long long functor_of(self, long long c)
    cpdef long long name_of(self, long long c)
    cpdef long long arity_of(self, long long c)
    cpdef long long arg(self, long long c, long long i) except? -1
    cdef long long part(self, long long c, long long i) noexcept
    cpdef long long head(self, long long c)
    cpdef long long tail(self, long long c)
    cdef long long args_of(self, long long c, long long** base) noexcept
    cpdef int set_arg(self, long long c, long long i, long long value) except -1

    cpdef bint unify(self, long long a, long long b) except -1
    cpdef bint unify_occurs(self, long long a, long long b) except -1
    cpdef int compare(self, long long a, long long b) except -2
    cdef int compare_atomic(self, long long a, long long b) except -2
    cpdef bint is_ground(self, long long c) except -1
    cpdef bint is_acyclic(self, long long c) except -1
    cpdef bint is_variant(self, long long a, long long b) except -1
    cdef bint rename(self, long long a, long long b, dict forth, dict back) except -1
    cpdef list term_vars(self, long long c)
    cdef int find_vars(self, long long c, list found) except -1
    cpdef long long copy(self, long long c) except -1
    cdef long long flatten(self, long long c, bint keep_store) except -1
    cdef bint flatten_to(self, long long c, bint keep_store, dict copies) except -1
    cdef long long thaw_words(self, long long* cells, long long n, long long* boxes, long long m, long long root) except -1
    cpdef Record freeze(self, long long c)
    cpdef long long thaw(self, Record r) except -1

    cpdef long long intern(self, long long c, bint variant=*) except -1
    cdef long long intern_parts(self, long long c, bint variant, dict stored) except -2
    cdef long long store_list(self, long long h, long long t) except -1
    cdef long long store_flat(self, long long c) except -1
    cdef long long store_box(self, long long c) except -1
    cdef long long store_find(self, long long key, long long n, long long at) except -1
    cpdef int store_log(self, long long size) except -1
    cdef long long find_entry(self, long long* table, long long mask, long long h, long long tag, long long n, long long at) noexcept
    cdef int store_insert(self, long long c, long long h) except -1
    cdef long long* grown_hash(self, long long* old, long long mask) except NULL
    cdef int forget_young(self) except -1
    cdef int age_young(self) except -1
    cdef int store_room(self, long long n) except -1
    cdef long long hash_words(self, long long tag, long long at, long long n) noexcept
    cdef long long words_of(self, long long c) noexcept
    cpdef bint has_numbered_vars(self, long long c)
    cpdef long long instantiate(self, long long c, list variables) except -1
    cdef long long instantiate_parts(self, long long c, list variables, dict made) except -1
    cpdef int reset_store(self) except -1
    cdef int order_rank(self, long long c) except -1
    cdef void restore_flattened(self, long long mark) noexcept
    cdef long long numbered_var(self, long long c, list variables) except -1

cdef long long float_bits(double d) noexcept
cdef double bits_float(long long bits) noexcept

cdef class Record:
    cdef long long* words
    cdef long long n, m, root
