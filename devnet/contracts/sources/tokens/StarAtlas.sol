// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Decimal} from "./Decimal.sol";
import {IERC721Receiver} from "./TokenReceiver.sol";

/// @title Star Atlas
/// @notice Every token is a star, named by its number in the catalogue. Whoever pays the price first claims it.
contract StarAtlas {
    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event Approval(address indexed owner, address indexed spender, uint256 indexed id);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    /// @notice Nobody has claimed this star yet.
    error Unclaimed(uint256 star);

    /// @notice This star shines for `owner` already.
    error AlreadyClaimed(uint256 star, address owner);

    /// @notice A claim costs `price`; `paid` came.
    error WrongPrice(uint256 price, uint256 paid);

    /// @notice `caller` is neither the owner of the star nor approved.
    error NotAllowed(address caller, uint256 star);

    /// @notice `account` cannot hold stars.
    error InvalidRecipient(address account);

    string public constant name = "Star Atlas";
    string public constant symbol = "STAR";

    /// @notice What a claim costs.
    uint256 public constant PRICE = 0.01 ether;

    /// @notice Who collects the price of the claims.
    address public immutable astronomer;

    /// @notice How many stars are claimed.
    uint256 public totalSupply;

    mapping(address owner => uint256) public balanceOf;
    mapping(uint256 id => address) public getApproved;
    mapping(address owner => mapping(address operator => bool)) public isApprovedForAll;
    mapping(uint256 id => address) private _ownerOf;

    constructor(address astronomer_) {
        astronomer = astronomer_;
    }

    /// @notice Claims an unclaimed star for the caller and passes the price on to the astronomer.
    function claim(uint256 star) external payable {
        if (msg.value != PRICE) revert WrongPrice(PRICE, msg.value);
        address owner = _ownerOf[star];
        if (owner != address(0)) revert AlreadyClaimed(star, owner);

        _ownerOf[star] = msg.sender;
        totalSupply++;
        balanceOf[msg.sender]++;
        emit Transfer(address(0), msg.sender, star);

        (bool sent,) = astronomer.call{value: msg.value}("");
        if (!sent) revert InvalidRecipient(astronomer);
    }

    /// @notice Lets `spender` move one star.
    function approve(address spender, uint256 id) external {
        address owner = ownerOf(id);
        if (msg.sender != owner && !isApprovedForAll[owner][msg.sender]) revert NotAllowed(msg.sender, id);
        getApproved[id] = spender;
        emit Approval(owner, spender, id);
    }

    /// @notice Lets `operator` move all of the caller's stars, or takes that right back.
    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    /// @notice Moves a star and asks a receiving contract whether it can hold one.
    function safeTransferFrom(address from, address to, uint256 id) external {
        safeTransferFrom(from, to, id, "");
    }

    /// @notice The same, with `data` for the receiving contract.
    function safeTransferFrom(address from, address to, uint256 id, bytes memory data) public {
        transferFrom(from, to, id);
        if (to.code.length == 0) return;
        bytes4 answer = IERC721Receiver(to).onERC721Received(msg.sender, from, id, data);
        if (answer != IERC721Receiver.onERC721Received.selector) revert InvalidRecipient(to);
    }

    /// @notice Moves a star without asking.
    function transferFrom(address from, address to, uint256 id) public {
        address owner = ownerOf(id);
        bool allowed = msg.sender == owner || isApprovedForAll[owner][msg.sender] || getApproved[id] == msg.sender;
        if (owner != from || !allowed) revert NotAllowed(msg.sender, id);
        if (to == address(0)) revert InvalidRecipient(to);

        delete getApproved[id];
        balanceOf[from]--;
        balanceOf[to]++;
        _ownerOf[id] = to;
        emit Transfer(from, to, id);
    }

    /// @notice Who owns a star.
    function ownerOf(uint256 id) public view returns (address owner) {
        owner = _ownerOf[id];
        if (owner == address(0)) revert Unclaimed(id);
    }

    /// @notice The star's page in the atlas, kept on chain.
    function tokenURI(uint256 id) external view returns (string memory) {
        ownerOf(id);
        string memory number = Decimal.toString(id);
        return string.concat(
            'data:application/json;utf8,{"name":"Star ', number, '","description":"Number ', number, ' of the atlas"}'
        );
    }

    /// @notice ERC-165: the interfaces of ERC-165, ERC-721 and its metadata.
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f;
    }
}
